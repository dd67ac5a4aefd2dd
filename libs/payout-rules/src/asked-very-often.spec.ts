/** Of the calls of a payout the last sixty are kept. Each time its payee is asked again is news all the same, and is mailed. */
import type { AwaitingPayee } from '#libs/rail-kit';
import { backToPayee, begun, nameOfAsking } from './begun-legs';
import { forPayee, legsWithAttempt, newLeg } from './legs';
import { changeOf, type Payout } from './payout';

const AT = new Date('2026-11-25T12:00:00Z');
const FIRST = {
  ...{
    id: 'one',
    status: 'submitted',
    railKey: 'code',
    attempt: 1,
    sequence: 3,
    failureKind: null,
    claimedAt: null,
    openAttempts: [],
  },
  legs: [forPayee(newLeg({ railKey: 'code', legs: [] }, 'drain'))],
} as unknown as Payout;

/** They give an address, and the rail refuses it. */
function refusedOnce(payout: Payout): Payout {
  const said = begun(payout, 'wallet', AT, { emailChangedAt: null, identityChangedAt: null }).after;
  const sent = { ...said, attempt: said.attempt + 1, legs: legsWithAttempt(said, said.attempt + 1, AT) };
  const key = sent.legs.at(-1)?.key ?? '';
  const fact = { kind: 'awaiting_payee', providerRef: 'ref', begins: { leg: 'drain', refused: { key, reason: 'no' } } };
  return backToPayee(changeOf(sent), fact as AwaitingPayee).after;
}

test('each of 65 refused addresses is another time that a payee is asked', () => {
  const times: string[] = [];
  for (let payout = FIRST, round = 0; round < 65; round += 1) {
    payout = refusedOnce(payout);
    times.push(nameOfAsking(payout));
  }
  expect(new Set(times).size).toBe(65);
});
