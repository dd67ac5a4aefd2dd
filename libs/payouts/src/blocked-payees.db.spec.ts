/** Money that waits for its payee, who is blocked: where it goes is not theirs to say meanwhile. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

describe('a payout that waits for its payee', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const now = ({ id }: Payout) => world.payout(id);
  const begin = async (payout: Payout): Promise<Payout> => world.get(BeginLeg).run(await now(payout), 'wallet-1');
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    return now(payout);
  };
  const drains = ({ id }: Payout) => world.rail.calls.filter(({ order, leg }) => order.payoutId === id && leg);
  const block = ({ payeeId }: Payout, blocked = true) =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [payeeId, blocked]);
  /** While its rail is asked whether it still waits. */
  const beginWhile = async (
    payout: Payout,
    meanwhile: () => Promise<unknown>,
    ...isTheirs: IsTheirs
  ): Promise<Payout> => {
    let answer = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    world.rail.asked.length = 0;
    const begins = world.get(BeginLeg).run(await now(payout), 'wallet-1', ...isTheirs);
    begins.catch(() => undefined);
    await world.rail.lookingUp(payout.railKey);
    await meanwhile();
    answer();
    return begins;
  };

  test('is begun by nobody who is blocked, also if it was while its rail was asked', async () => {
    const payout = await waiting();
    await block(payout);
    await expect(begin(payout)).rejects.toMatchObject({ code: 'payee_not_payable' });
    await block(payout, false);
    await expect(beginWhile(payout, () => block(payout))).rejects.toMatchObject({ code: 'payee_not_payable' });
    expect(await now(payout)).toEqual(payout);
    await block(payout, false);
    expect(await begin(payout)).toMatchObject({ legs: [{ destination: 'wallet-1' }] });
  });

  test('is begun by nobody whose wallet it was, and is not any more since its rail was asked', async () => {
    const payout = await waiting();
    const email = 'eve@example.com';
    const change = () => world.db.execute('UPDATE payees SET email = $2 WHERE id = $1', [payout.payeeId, email]);
    const begins = beginWhile(payout, change, (payee) => payee.email !== email);
    await expect(begins).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await now(payout)).toEqual(payout);
  });

  test('and that they began, is not sent for the first time until they are blocked no more', async () => {
    const payout = await waiting();
    await begin(payout);
    await block(payout);
    world.rail.answers = null;
    says({ drain: settled() });
    const withheld = { status: 'submitted', legs: [{ destination: 'wallet-1', sends: 0 }] };
    expect(await drive(payout, 2)).toMatchObject(withheld);
    await block(payout, false);
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toHaveLength(1);
  });

  test('and that was sent before they were blocked, is brought to its end', async () => {
    const payout = await waiting();
    await begin(payout);
    says({ drain: { kind: 'unknown', detail: 'no answer' } });
    await drive(payout);
    await block(payout);
    says({ drain: settled() });
    expect((await drive(payout, 2)).status).toBe('paid');
  });
});

type IsTheirs = Parameters<BeginLeg['run']> extends [Payout, string, ...infer Rest] ? Rest : never;
