/** Point 18: three changes of this lib that no spec of it noticed. */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { RailOrder } from '#libs/rail-kit';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';
import { soundFact } from './sound';

const ORDER = { amountCents: 1_000, currency: 'USD' } as RailOrder;

test('other money that is on its way has not moved yet', () => {
  const echo = { amountCents: 990, currency: 'USD' };
  const accepted = { kind: 'accepted', providerRef: 'p', echo } as const;
  expect(soundFact(accepted, ORDER)).toMatchObject({ kind: 'unknown', spokeOf: { ...echo, moved: false } });
});

describe('of a rail', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('a short rest that is heard of ends no longer one', async () => {
    const pauses = new RailPauses({ traits: () => ({}) } as unknown as Rails, new RailLanes(scratch.db));
    await pauses.heard('rests', 'lookup', { kind: 'not_now', afterSeconds: 600, detail: 'maintenance' });
    await pauses.heard('rests', 'lookup', { kind: 'not_now', afterSeconds: 10, detail: 'too many calls' });
    expect(await pauses.turn('rests', 'submit')).toMatchObject({ afterSeconds: 600 });
  });

  test('an account that was verified long ago is not known any more', async () => {
    const identity = new RailIdentity(scratch.db, new RailLanes(scratch.db));
    await identity.judge('verified', { kind: 'works', account: 'acct_1', mode: 'live' });
    expect(await identity.isKnown('verified')).toBe(true);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    expect(await identity.isKnown('verified')).toBe(false);
    now.mockRestore();
  });
});
