/** A machine that has only programs that are newer than its server: what they write is made such that the server knows it. */
import { execFileSync } from 'node:child_process';

/** As pg_restore 17 begins, and with a row that reads like the line that is left out. */
const SET = 'SET transaction_timeout = 0;\n';
const script = (line: string, padding: string): string =>
  `--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\n${line}SET client_encoding = 'UTF8';\n` +
  `COPY public.notes (text) FROM stdin;\n${padding}é\n${SET}\\.\n`;

function written(server: number, version: number, chunks: string[]): string {
  const code = `import { scriptFor } from './programs.mjs';
    const pieces = ${JSON.stringify(chunks)}.map((piece) => Buffer.from(piece));
    for await (const piece of scriptFor(${server}, { version: ${version} })(pieces)) process.stdout.write(piece);`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: __dirname, encoding: 'utf8' });
}

test.each([
  ['short', ''],
  ['long', 'x'.repeat(10_000)],
])(
  'a %s script of a newer pg_restore sets no time-out that the server does not know, and all else stays',
  (_, padding) => {
    const whole = script(SET, padding);
    const cut = whole.indexOf('transaction');
    expect(written(16, 17, [whole.slice(0, cut), whole.slice(cut)])).toBe(script('', padding));
  },
);

test.each([
  [17, 18, SET],
  [16, 16, ''],
])('for a server of %i a script of pg_restore %i stays as it is', (server, version, line) => {
  expect(written(server, version, [script(line, '')])).toBe(script(line, ''));
});
