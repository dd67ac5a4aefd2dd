/** What one file alone can do wrong. Each complaint says what to do instead. */
import { statusWrites } from './status-writes';
import type { SourceFile } from './source-files';

const SCRIPT = /\.(ts|mjs|cjs|js)$/;
const SPEC = /[.-]spec\.ts$/;
/** What only specs reach writes rows as they need them. */
const TESTING = /^libs\/[^/]+\/testing\//;
/** These files have to spell out what they look for. */
const SPELLS_IT_OUT = /^tools\/(tidy|lint-fixtures)\//;
const README_LINES_MAX = 150;

const NAMELESS = /(?:^|[-._/])(?:utils?|common|helpers?|managers?|base)(?=[-._/])/i;
const LEFT_OVER = /\b(?:FIXME|TODO)\b/;
const SWITCHED_OFF =
  /\b(?:describe|it|test)(?:\.each)?\.(?:skip|only|todo)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\(/;
const BARE_DISABLE = /eslint-disable(?!.* -- \S)/;
const SOMEBODYS_MACHINE = /(?<![\w.])\/(?:work|root|Users\/\w+|home\/\w+|tmp\/\w+)\//;
const WILDCARD = /^export \* /m;
const FACE = /^libs\/.+\/src\/index\.ts$/;
const STORE = /^export \{[^}]*\b\w+Store\b[^}]*\} from '\.\/db\//m;

export function complaintsAbout(file: SourceFile): string[] {
  return [...nameComplaints(file), ...textComplaints(file), ...faceComplaints(file), ...sqlComplaints(file)].map(
    (text) => `${file.path}: ${text}`,
  );
}

function nameComplaints({ path }: SourceFile): string[] {
  if (!/^(apps|libs|tools)\//.test(path) || !SCRIPT.test(path)) return [];
  return NAMELESS.test(path) ? ['a name that could stand over anything: say what it does.'] : [];
}

function textComplaints({ path, text }: SourceFile): string[] {
  if (SPELLS_IT_OUT.test(path)) return [];
  const found: (string | false)[] = [
    LEFT_OVER.test(text) && 'a note that work is left over: do it, or write an issue.',
    SOMEBODYS_MACHINE.test(text) && "a path of somebody's machine: make it relative, or a setting.",
    SCRIPT.test(path) &&
      SWITCHED_OFF.test(text) &&
      'a test that is switched off, or switches off the others: mend or remove it.',
    SCRIPT.test(path) && BARE_DISABLE.test(text) && "a lint rule switched off without a reason: add ' -- why'.",
    /\.tsx?$/.test(path) &&
      WILDCARD.test(text) &&
      'export *: list the names, so that a reader sees what the lib offers.',
    tooLongAReadme(path, text) && `a README of more than ${README_LINES_MAX} lines: move the detail to docs/.`,
  ];
  return found.filter((complaint) => complaint !== false);
}

function faceComplaints({ path, text }: SourceFile): string[] {
  const shown = FACE.test(path) && STORE.test(text);
  return shown ? ['a store for everybody: let others read through *.reads, and write through a use case.'] : [];
}

function tooLongAReadme(path: string, text: string): boolean {
  return path.endsWith('README.md') && text.trimEnd().split('\n').length > README_LINES_MAX;
}

/** Specs may set the stage as they like. */
function sqlComplaints({ path, text }: SourceFile): string[] {
  return /^(apps|libs)\/.+\.tsx?$/.test(path) && !SPEC.test(path) && !TESTING.test(path)
    ? statusWrites(path, text)
    : [];
}
