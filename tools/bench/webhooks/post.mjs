// As many POSTs as undici makes of so many connections: what a delivery that nobody writes down would cost. Prints how many
// a second were answered.
import { request, Agent } from 'undici';

const { url, connections, seconds, body } = JSON.parse(process.argv[2]);
const dispatcher = new Agent({ connections });
const headers = { 'content-type': 'application/json' };

async function measured(forSeconds) {
  let answered = 0;
  const until = performance.now() + forSeconds * 1000;
  const post = async () => {
    while (performance.now() < until) {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}.`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, post));
  return answered / forSeconds;
}

await measured(1); // a fresh process is slow at first
process.stdout.write(`${await measured(seconds)}\n`);
await dispatcher.close();
