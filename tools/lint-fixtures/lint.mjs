/**
 * Lints the code of the fixtures as if it stood where each says, and prints what ESLint found. A process of its own: the
 * configuration is an ES module, which Jest cannot load, and the boundary rule reads the project graph that is made here.
 */
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

process.env.NX_DAEMON = 'false';

const fixtures = JSON.parse(await text(process.stdin));
await createProjectGraphAsync({ exitOnError: true });
const eslint = new ESLint();
const found = [];
for (const { as, code } of fixtures) {
  const [{ messages }] = await eslint.lintText(code, { filePath: as });
  found.push(messages.map(({ ruleId, message }) => ({ ruleId, message })));
}
process.stdout.write(JSON.stringify(found), () => process.exit(0));

async function text(stream) {
  let all = '';
  for await (const chunk of stream) all += chunk;
  return all;
}
