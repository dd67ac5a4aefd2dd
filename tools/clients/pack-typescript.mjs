// `npm run pack:sdk`: the TypeScript client as a tarball that npm installs anywhere. With a folder: it is written there.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, npm } from '../install.mjs';
import { runScript, say } from '../terminal.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SDK = join(ROOT, 'libs/sdk');
const PACKAGE = join(ROOT, 'clients/typescript');
const OPTIONS = [
  ...['--ignoreConfig', '--declaration', '--strict', '--isolatedModules', '--esModuleInterop', '--types', 'node'],
  ...['--target', 'es2022', '--lib', 'es2023', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
];

await runScript(() => {
  ensureInstalled();
  const [folder = join(ROOT, 'packages'), ...rest] = process.argv.slice(2);
  if (rest.length > 0 || folder.startsWith('-')) throw new Error('npm run pack:sdk takes a folder, at most.');
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'payout-gateway-sdk-'));
  try {
    compile(draft);
    addModule(draft);
    describe(draft);
    say(join(resolve(folder), pack(draft, resolve(folder))));
  } finally {
    rmSync(draft, { recursive: true });
  }
});

function compile(draft) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
  const places = ['--rootDir', join(SDK, 'src'), '--outDir', join(draft, 'dist')];
  run(process.execPath, [tsc, ...OPTIONS, ...types, ...places, join(SDK, 'src/index.ts')], ROOT);
}

/** One copy of the code for `import` and `require` alike: an error of one is then an instance of the other's class too. */
function addModule(draft) {
  const dist = join(draft, 'dist');
  const names = Object.keys(createRequire(import.meta.url)(join(dist, 'index.js')));
  writeFileSync(
    join(dist, 'index.mjs'),
    `import client from './index.js';\n\nexport const { ${names.join(', ')} } = client;\n`,
  );
  writeFileSync(join(dist, 'index.d.mts'), "export * from './index.js';\n");
}

function describe(draft) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, ...rest } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  writeFileSync(join(draft, 'package.json'), `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);
  cpSync(join(PACKAGE, 'README.md'), join(draft, 'README.md'));
}

function pack(draft, folder) {
  const [command, ...args] = npm();
  const printed = run(command, [...args, 'pack', '--json', '--pack-destination', folder], draft);
  const [{ filename }] = Object.values(JSON.parse(printed));
  return filename;
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error ?? ''}${stdout}${stderr}`);
  return stdout;
}
