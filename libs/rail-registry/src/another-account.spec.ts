/** Calls of a rail that is bound to another account of its provider meanwhile, which knows nothing of what was sent before. */
import { systemClock } from '#libs/domain';
import type { LookupFact, RailCall, RailLeg, RailOrder, SubmitFact, Verification } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { loneRail, ORDER } from '../testing/lone-rail';

const LEG: RailLeg = { name: 'payout', key: 'gw1-payout', firstSentAt: new Date(0) };
const soon = () => {
  const takenAt = systemClock.now().getTime();
  return { takenAt, beginBefore: takenAt + 60_000 };
};

describe('another account', () => {
  beforeAll(() => setLogLevel('silent'));

  test('a call that waited for its credentials to be verified is not made if another account was bound meanwhile', async () => {
    let account = 'before';
    const db = {
      row: async () => ({ account, mode: 'live', sentElsewhere: false }),
      // What is written once they were found to be those of the account: just then another one is bound.
      execute: async (sql: string) => {
        if (sql.startsWith('DELETE FROM rail_lanes')) account = 'since';
        return 0;
      },
    };
    const submit = jest.fn();
    const verify = async (): Promise<Verification> => ({ kind: 'works', account: 'before', mode: 'live' });
    expect(await loneRail({ submit, verify }, { db }).calls.submit('toy', ORDER, soon())).toEqual({
      kind: 'not_sent',
    });
    expect(submit).not.toHaveBeenCalled();
  });

  test('a look-up by whoever does not know of another account moves nothing with that, and its never_seen is no answer', async () => {
    const bound = { account: 'since', mode: 'live', sentElsewhere: true };
    const db = { row: async () => bound };
    const lookup = jest.fn(async (_: RailOrder, __?: RailCall): Promise<LookupFact> => ({ kind: 'never_seen' }));
    const verify = async (): Promise<Verification> => ({ kind: 'works', account: 'since', mode: 'live' });
    const caller = loneRail({ lookup, verify }, { db }).calls;
    expect(await caller.lookup('toy', ORDER)).toMatchObject({ kind: 'unknown' });
    const movesNothing = async () => 'sent_elsewhere' as const;
    expect(await caller.lookup('toy', ORDER, { movesNothing })).toEqual({ kind: 'never_seen' });
    bound.sentElsewhere = false;
    await caller.lookup('toy', ORDER);
    const asked = lookup.mock.calls.map(([, call]) => call?.movesNothing);
    expect(asked).toEqual(['sent_elsewhere', 'sent_elsewhere', undefined]);
  });

  test('cannot have refused what the one before was sent', async () => {
    const bound = { account: 'since', mode: 'live', sentElsewhere: true };
    const lookup = async (): Promise<LookupFact> => ({ kind: 'refused', failure: 'transient', reason: 'its own' });
    const verify = async (): Promise<Verification> => ({ kind: 'works', account: 'since', mode: 'live' });
    const { calls } = loneRail({ lookup, verify }, { db: { row: async () => bound } });
    expect(await calls.lookup('toy', ORDER)).toMatchObject({ kind: 'unknown' });
    const movesNothing = async () => 'sent_elsewhere' as const;
    expect(await calls.lookup('toy', ORDER, { movesNothing })).toEqual({ kind: 'never_seen' });
    bound.sentElsewhere = false;
    expect(await calls.lookup('toy', ORDER)).toMatchObject({ kind: 'refused' });
  });

  test.each(['submit', 'advance'] as const)('is sent nothing that the one before was: %s', async (call) => {
    const bound = { account: 'since', mode: 'live', sentElsewhere: true };
    const made = jest.fn(async (): Promise<SubmitFact> => ({ kind: 'accepted', providerRef: 'ref' }));
    const verify = async (): Promise<Verification> => ({ kind: 'works', account: 'since', mode: 'live' });
    const { calls } = loneRail({ submit: made, advance: made, verify }, { db: { row: async () => bound } });
    const send = () =>
      call === 'submit' ? calls.submit('toy', ORDER, soon()) : calls.advance('toy', ORDER, LEG, soon());
    expect(await send()).toEqual({ kind: 'not_sent' });
    expect(made).not.toHaveBeenCalled();
    bound.sentElsewhere = false;
    expect(await send()).toEqual({ kind: 'accepted', providerRef: 'ref' });
  });
});
