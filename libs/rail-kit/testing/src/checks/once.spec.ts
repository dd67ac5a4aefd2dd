/** Codes are long, and those of one payee begin alike: whoever keeps the beginning alone takes two payouts for one. */
import { createHash } from 'node:crypto';
import type { RailOrder } from '#libs/rail-kit';
import { checksFor, runCheck } from '../conformance';
import type { RailSubject } from '../subject';
import { type Mistake, toySubject } from '../toy-rail.fake';

const APART = /differ only in their last character/;

/** At its provider a payment has this name. Its books tell it under either. */
function namedBy(nameOf: (railKey: string) => string): Mistake {
  return (rail, _context, { payments, outcomes }) => {
    const named = (order: RailOrder): RailOrder => ({ ...order, railKey: nameOf(order.railKey) });
    return {
      submit: async (order) => {
        const { railKey: name } = named(order);
        outcomes.set(name, outcomes.get(order.railKey) ?? 'settle');
        const fact = await rail.submit(named(order));
        payments.set(order.railKey, payments.get(name) ?? []);
        return fact;
      },
      lookup: (order) => rail.lookup(named(order)),
    };
  };
}

describe('the conformance suite', () => {
  it.each([18, 32, 36, 49])('refuses a rail that keeps the first %d characters of a railKey', async (length) => {
    const subject = toySubject(namedBy((railKey) => railKey.slice(0, length)));
    await expect(run(subject, APART)).rejects.toThrow(/became one payment.*a digest of the whole/);
  });

  it('lets one pass that sends a digest of the whole', async () => {
    const digestOf = (railKey: string): string => createHash('sha256').update(railKey).digest('hex').slice(0, 32);
    await run(toySubject(namedBy(digestOf)), APART);
  });
});

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}
