/**
 * What rails keep of a payout, in records that processes of two versions read and write beside each other. If a line here changes, ask what older
 * code does with such a record: if it would drop what the new field says, or misread it, add a migration that raises the floor (ADR 33), and
 * name its number here. Code from before the floor is not run beside this one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS, type MigrationClass } from '#libs/db';

const ROOT = join(__dirname, '..');
/** The last migration that raised the floor for one of these. */
const FLOOR = 1763600000085;
const FLAT_TYPE = /^(?:export )?type (\w+) = \{\n([^{}]*)^\};/gm;
const ONE_LINE = /^(?:export )?type (\w+) = \{ ([^{}]+) \};/gm;

function recordsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((file) => /(?<!\.spec|\.fake|\.bench)\.ts$/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, folder, file), 'utf8');
    if (!text.includes('of the store')) return [];
    return [...text.matchAll(FLAT_TYPE), ...text.matchAll(ONE_LINE)].map(
      ([, name, body = '']) => `${folder.split('/').at(-2)}/${file} ${name}: ${fieldsOf(body)}`,
    );
  });
}

const fieldsOf = (body: string): string =>
  [...body.replace(/\/\*\*[^]*?\*\//g, '').matchAll(/(\w+\??): /g)].map(([, field]) => field).join(' ');

test('stay as code beside this one knows them', () => {
  const rails = readdirSync(join(ROOT, 'libs/rails')).map((rail) => `libs/rails/${rail}/src`);
  expect([...rails, 'libs/rail-kit/src'].flatMap(recordsIn)).toMatchInlineSnapshot(`
    [
      "claim-rail/tries.ts Try: number begunAt batchId refused sent turnedAway earlier? told?",
      "custodial-a/accounts.ts Opening: begunAt accountId",
      "custodial-a/stripe.sight.ts NotPaidOut: failure reason",
      "custodial-b/destination.ts Destination: balanceAccountId",
      "custodial-b/destination.ts Instrument: transferInstrumentId",
      "custodial-b/known-rounds.ts Known: since round shown? made? booked? bookedUpTo?",
      "custodial-b/opening.ts Step: id by at",
      "custodial-b/round.ts NotPaidOut: failure reason",
      "gift-rail/handovers.ts Handover: at",
      "gift-rail/handovers.ts End: of at?",
      "gift-rail/sendings.ts Sending: number over there? open",
      "mock/mock.checks.ts KeptCheck: kind reason isDown",
      "mock/mock.ledger.ts Payment: state providerRef amountCents currency settledAt failure reason feeCents dueAt becomes next refusesLeg destination refusedKey",
      "swap-rail/drain-records.ts Last: legKey at closed",
      "swap-rail/sendings.ts Sendings: sent turnedAway sentAt doubtAt countedTo?",
      "swap-rail/wallets.ts Kept: key id address",
      "rail-kit/tries.ts Try: number over sent turnedAway sentAt? otherWords?",
    ]
  `);
});

test('are read by no code that would drop some of it', () => {
  const breaking = (MIGRATIONS as readonly MigrationClass[]).filter(({ besideOlderCode }) => !besideOlderCode);
  const floor = Math.max(...breaking.map(({ name }) => Number(name.slice(-13))));
  expect(floor).toBeGreaterThanOrEqual(FLOOR);
});
