/**
 * What a wallet covers, was sent before and cannot be asked about now stays as it is. It keeps nothing back that its client has beside it,
 * and the job that looks after a deposit ends.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { WalletBook } from '#libs/wallets';
import { copiesOf, earlier, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

const OLD = 200;

describe('what a wallet covers, and its rail cannot tell of', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  beforeEach(async () => {
    client = await world.client({ prepaid: true });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const deposit = (amountCents: number): Promise<unknown> => {
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents } as const;
    return world.get(WalletBook).post({ ...entry, clientId: client.id, reference: randomUUID() });
  };
  /** It was sent and refused, and waits for a wallet since another one took what was in it. */
  const waiting = async (): Promise<Payout> => {
    await deposit(1_000);
    const french = await world.payee(client, { country: 'FR' });
    await world.adopt(client, french);
    const { id } = await world.pay(client, french, 1_000);
    world.rail.says({ first: refused('transient') });
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    await world.pay(client, await world.payee(client), 1_000);
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    // So it was two hours ago, and its rail honours a code for one.
    await earlier(world, id, '2 hours');
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'held', shortOf: 'wallet' });
    return payout;
  };
  const due = (): Promise<{ entityId: string }[]> =>
    world.db.rows(`SELECT entity_id FROM jobs WHERE name = 'payout.retry' AND run_at <= now() + interval '1 second'`);

  test.each([
    ['their jobs wait', async () => undefined],
    [
      'their jobs are over at once',
      async () => {
        for (const { entityId } of await due()) await world.work('payout.retry', entityId);
      },
    ],
  ])(
    'very many of them keep no younger one back, while %s',
    async (_, work) => {
      await copiesOf(world, await waiting(), OLD);
      const young = await world.pay(client, await world.payee(client), 1_000);
      expect(young.status).toBe('held');
      jest.spyOn(world.rail, 'lookup').mockResolvedValue({ kind: 'unknown', detail: 'HTTP 503' });
      await deposit(10_000_000);
      const outcomes: unknown[] = [];
      for (let portion = 0; portion < 4; portion += 1) {
        outcomes.push(await world.funded(client.id));
        await work();
      }
      expect(await world.status(young.id)).toBe('authorized');
      expect(outcomes.at(-1)).toBeUndefined();
    },
    60_000,
  );

  test('it is asked about at once, although its job was put off for hours before it was held', async () => {
    const { id } = await waiting();
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, run_at) VALUES ('payout.retry', $1, 'custodial_a', now() + interval '3 hours')`,
      [id],
    );
    await deposit(1_000);
    await world.funded(client.id);
    expect(await due()).toEqual(expect.arrayContaining([{ entityId: id }]));
  });
});
