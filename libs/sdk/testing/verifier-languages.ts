/** How each verifier of docs/webhooks is run on the vectors, by the runtime of its language. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK_DOCS, type WebhookVector } from './webhook-vectors';

export interface Language {
  /** The verifier, in docs/webhooks/verify. */
  file: string;
  /** A program that answers its version to `versionBy`; without it the verifier cannot be run. */
  runtime: string;
  versionBy: string;
  /** The oldest that will do: what the verifier itself says. */
  since: [major: number, minor: number];
  /** Commands, run one after the other in an empty folder; the last reads the vectors and prints the verdicts. */
  steps(folder: string): string[][];
  /** What the last command reads; else JSON. */
  input?(vectors: WebhookVector[]): string;
}

const TSC = join(__dirname, '../../../node_modules/typescript/bin/tsc');
const STRICTLY =
  '--ignoreConfig --skipLibCheck --strict --noUncheckedIndexedAccess --target es2022 --module nodenext --types node';
const TYPES = join(__dirname, '../../../node_modules/@types');
/** The first `go run` of a machine compiles Go's own library. */
const LIMIT_MS = 180_000;

const verifier = (file: string): string => join(WEBHOOK_DOCS, 'verify', file);
const runner = (file: string): string => join(__dirname, 'runners', file);

export const LANGUAGES: Language[] = [
  {
    file: 'verify.ts',
    runtime: 'node',
    versionBy: '--version',
    since: [18, 0],
    steps: (folder) => [
      ['node', TSC, ...STRICTLY.split(' '), '--typeRoots', TYPES, '--outDir', folder, verifier('verify.ts')],
      ['node', runner('run.mjs'), join(folder, 'verify.js')],
    ],
  },
  {
    file: 'verify.py',
    runtime: 'python3',
    versionBy: '--version',
    since: [3, 7],
    steps: () => [['python3', '-B', runner('run.py'), verifier('')]],
  },
  { file: 'verify.go', runtime: 'go', versionBy: 'version', since: [1, 14], steps: goSteps },
  {
    file: 'verify.php',
    runtime: 'php',
    versionBy: '--version',
    since: [8, 0],
    steps: () => [['php', runner('run.php'), verifier('verify.php')]],
  },
  {
    file: 'verify.rb',
    runtime: 'ruby',
    versionBy: '--version',
    since: [3, 0],
    steps: () => [['ruby', runner('run.rb'), verifier('verify.rb')]],
  },
  {
    file: 'Verify.java',
    runtime: 'javac',
    versionBy: '--version',
    since: [17, 0],
    steps: (folder) => [
      ['javac', '-d', folder, verifier('Verify.java'), runner('Run.java')],
      ['java', '-cp', folder, 'Run'],
    ],
    input: (vectors) => vectors.map(inFields).join(''),
  },
];

/** Why the verifier cannot be run here, or null. */
export function whyNotRun({ runtime, versionBy, since: [major, minor] }: Language): string | null {
  const { status, stdout } = spawnSync(runtime, [versionBy], { encoding: 'utf8' });
  if (status !== 0) return `no ${runtime} on this machine`;
  const [version, hasMajor = 0, hasMinor = 0] = /(\d+)(?:\.(\d+))?/.exec(stdout) ?? [];
  const enough = Number(hasMajor) > major || (Number(hasMajor) === major && Number(hasMinor) >= minor);
  return enough ? null : `${runtime} ${version ?? 'of no known version'} is older than ${major}.${minor}`;
}

/** One verdict for each vector. Throws what the runtime says when it fails. */
export function verdictsOf(language: Language, vectors: WebhookVector[], folder: string): string[] {
  const steps = language.steps(folder);
  const input = language.input?.(vectors) ?? JSON.stringify(vectors);
  const printed = steps.map((step, index) => run(step, folder, index === steps.length - 1 ? input : ''));
  return (printed.at(-1) ?? '').trim().split(/\r?\n/);
}

function run([program = '', ...words]: string[], cwd: string, input: string): string {
  // Go alone heeds these: it fetches nothing, and needs no C compiler.
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOPROXY: 'off', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const options = { cwd, env, input, encoding: 'utf8', timeout: LIMIT_MS } as const;
  const { status, signal, error, stdout, stderr } = spawnSync(program, words, options);
  if (status !== 0) throw new Error(`${program} ended with ${status ?? signal}: ${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** Go wants a module, with the verifier in a folder of its package. */
function goSteps(folder: string): string[][] {
  mkdirSync(join(folder, 'webhooks'));
  writeFileSync(join(folder, 'go.mod'), 'module runner\n\ngo 1.14\n');
  copyFileSync(runner('run.go'), join(folder, 'run.go'));
  copyFileSync(verifier('verify.go'), join(folder, 'webhooks', 'verify.go'));
  return [['go', 'run', '.']];
}

/** The form that Run.java describes. */
function inFields({ now, bodyBase64, secrets, headers }: WebhookVector): string {
  const text = (plain: string): string => Buffer.from(plain).toString('base64');
  const named = Object.entries(headers).flatMap(([name, values]) => values.map((value) => [name, value] as const));
  const pairs = named.map(([name, value]) => `${text(name)}:${text(value)}`);
  return `${[now, bodyBase64, secrets.map((secret) => `:${text(secret)}`).join(), pairs.join()].join('\t')}\n`;
}
