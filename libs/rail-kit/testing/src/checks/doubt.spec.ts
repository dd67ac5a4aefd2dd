/** Whoever was given up on has to stop: by then the same payout may be sent by another process. */
import { checksFor, runCheck } from '../conformance';
import type { RailSubject } from '../subject';
import { toySubject } from '../toy-rail.fake';

const ABORTED = /^aborted before it began/;

describe('the conformance suite', () => {
  it('refuses a rail that drops the signal', async () => {
    const subject = toySubject((rail) => ({ submit: (order) => rail.submit(order) }));
    await expect(run(subject, ABORTED)).rejects.toThrow(/`submit` goes on: 'settled'.*Hand `call.signal`/);
  });

  it('refuses a rail that calls refused what it did not send', async () => {
    const subject = toySubject((rail) => ({
      submit: async (order, call) =>
        call?.signal.aborted ? { kind: 'refused', failure: 'transient', reason: 'aborted' } : rail.submit(order),
    }));
    await expect(run(subject, ABORTED)).rejects.toThrow(/goes on: 'refused'/);
  });

  it('lets one pass that heeds it', async () => {
    await run(toySubject(), ABORTED);
  });
});

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}
