import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, type Language, verdictsOf, whyNotRun } from './verifier-languages';
import { vectors, WEBHOOK_DOCS } from './webhook-vectors';

const named = (verdicts: string[]) => vectors.map(({ name }, index) => `${name}: ${verdicts[index]}`);
const sourceOf = ({ file }: Language): string => readFileSync(join(WEBHOOK_DOCS, 'verify', file), 'utf8');

describe('the verifiers that docs/webhooks.md offers', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'payout-gateway-verifier-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are all of these, and each names the oldest version it runs on', () => {
    const files = LANGUAGES.map(({ file }) => file);
    expect(readdirSync(join(WEBHOOK_DOCS, 'verify')).sort()).toEqual([...files].sort());
    const page = readFileSync(join(WEBHOOK_DOCS, '../webhooks.md'), 'utf8');
    for (const file of files) expect(page).toContain(`(webhooks/verify/${file})`);
    for (const language of LANGUAGES) {
      const [major, minor] = language.since;
      expect(sourceOf(language)).toMatch(new RegExp(`, ${major}(\\.${minor})? or newer`));
    }
  });

  for (const language of LANGUAGES) {
    const missing = whyNotRun(language);
    if (missing === null) judgesEveryVector(language);
    else isLeftAlone(language, missing);
  }

  function judgesEveryVector(language: Language): void {
    it(`${language.file} judges every vector as it should`, () => {
      const expected = vectors.map(({ valid }) => (valid ? 'valid' : 'invalid'));
      const verdicts = verdictsOf(language, vectors, folder);
      expect(named(verdicts)).toEqual(named(expected));
      expect(verdicts).toHaveLength(expected.length);
    }, 400_000);
  }

  /** A test that is switched off would count as failed. This one says in its name, and in a line, what it is worth. */
  function isLeftAlone(language: Language, missing: string): void {
    const notice = `NOT RUN: ${missing}`;
    process.stderr.write(`docs/webhooks/verify/${language.file} ${notice}\n`);
    it(`${language.file} ${notice}; it only stands there`, () => {
      expect(sourceOf(language)).toMatch(/x-gw-timestamp[^]*x-gw-signature/i);
    });
  }
});
