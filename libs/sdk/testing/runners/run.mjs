// Vectors on stdin, the compiled verifier as the argument; one verdict a line.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { InvalidWebhook, verifyWebhook } = await import(pathToFileURL(process.argv[2]));

for (const { secrets, headers, bodyBase64, now } of JSON.parse(readFileSync(0, 'utf8'))) {
  // One secret as itself, several as a list: both are promised.
  const given = secrets.length === 1 ? secrets[0] : secrets;
  try {
    verifyWebhook(Buffer.from(bodyBase64, 'base64'), headers, given, now);
    console.log('valid');
  } catch (error) {
    if (!(error instanceof InvalidWebhook)) throw error;
    console.log('invalid');
  }
}
