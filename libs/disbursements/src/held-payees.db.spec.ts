/** Payees and wallets that somebody holds for long: whose owed money has nothing to do with them leaves all the same. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import { UpsertPayee } from '#libs/payees';
import { accepted, type MoneyWorld, ticksAhead } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('owed money of payees that somebody holds', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  beforeEach(() => {
    world.rail.reset();
    world.rail.answers = () => accepted();
  });
  afterAll(() => world.stop());

  /** IT: its rail takes owed money by itself. */
  const owed = async (client: Client, country: string): Promise<OwedScene> => {
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    return scene;
  };
  const both = async (settings: Partial<Client>, country: string): Promise<OwedScene[]> => {
    const client = await world.client(settings);
    if (client.prepaid) {
      const entry = { clientId: client.id, type: 'deposit', currency: 'USD', amountCents: 50_000 } as const;
      await world.get(WalletBook).post({ ...entry, reference: randomUUID(), note: null });
    }
    return [await owed(client, country), await owed(client, country)];
  };
  const holdingPayees = (ids: string[]) =>
    holding(world.db, 'SELECT FROM payees WHERE id = ANY($1) FOR NO KEY UPDATE', [ids]);
  const holdingWallets = (ids: string[]) =>
    holding(world.db, 'SELECT FROM wallets WHERE client_id = ANY($1) FOR NO KEY UPDATE', [ids]);
  const payeesOf = (scenes: OwedScene[]): string[] => scenes.map(({ payee }) => payee.id);
  const withdraw = async (scene: OwedScene): Promise<void> => {
    await scene.withdraw();
  };
  const byItself = ({ payee }: OwedScene): Promise<void> => world.work('owed.release', payee.id);

  test.each([
    ['was asked for', 'FR', withdraw],
    ['leaves by itself', 'IT', byItself],
  ])('waits, and that of others does not: what %s', async (_, country, release) => {
    const held = [...(await both({}, country)), ...(await both({}, country))];
    const neighbour = await owed(await world.client(), country);
    const letGo = await holdingPayees(payeesOf(held));
    const ended: string[] = [];
    const end = (how: string) => () => void ended.push(how);
    const waiting = held.map((scene) => release(scene).then(end('released'), end('failed')));
    await waitedFor(world.db, 'payees', 'id = ANY($1)', [payeesOf(held)]);
    await release(neighbour);
    expect((await neighbour.balance())?.withdrawableCents).toBe(0);
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    for (const scene of held) expect((await scene.balance())?.withdrawableCents).toBe(0);
  });

  test('waits for a wallet too, and nobody waits for a payee because of that', async () => {
    const held = [...(await both({ prepaid: true }, 'FR')), ...(await both({ prepaid: true }, 'FR'))];
    const neighbour = await owed(await world.client(), 'FR');
    const clients = held.map(({ client }) => client.id);
    const letGo = await holdingWallets(clients);
    const ended: string[] = [];
    const waiting = held.map((scene) => scene.outcome().then((outcome) => (ended.push(String(outcome)), outcome)));
    await waitedFor(world.db, 'wallets', 'client_id = ANY($1)', [clients]);
    await neighbour.withdraw();
    for (const { client, payee } of held)
      await world.get(UpsertPayee).run(client, { externalId: payee.externalId, metadata: { a: 'b' } });
    expect(ended).toEqual([]);
    await letGo();
    expect(await Promise.all(waiting)).toEqual(held.map(() => [6_000]));
  });

  test('comes in its order where others take one short turn with the payee after the other', async () => {
    const scene = await owed(await world.client(), 'FR');
    let left = false;
    const changes = async (): Promise<void> => {
      const { externalId } = scene.payee;
      while (!left) await world.get(UpsertPayee).run(scene.client, { externalId, metadata: { a: randomUUID() } });
    };
    const others = Array.from({ length: 4 }, changes);
    expect(await scene.outcome().finally(() => (left = true))).toEqual([6_000]);
    await Promise.all(others);
  });

  test('leaves once, however many ask for it while it is held', async () => {
    const scene = await owed(await world.client(), 'FR');
    const letGo = await holdingPayees(payeesOf([scene]));
    const waiting = Array.from({ length: 10 }, () => scene.outcome());
    await waitedFor(world.db, 'payees', 'id = $1', [scene.payee.id]);
    await letGo();
    const outcomes = await Promise.all(waiting);
    expect(outcomes.filter((outcome) => outcome !== 'nothing_to_withdraw')).toEqual([[6_000]]);
  });

  test('is told to ask again when it was held for long', async () => {
    const scene = await owed(await world.client(), 'FR');
    const letGo = await holdingPayees(payeesOf([scene]));
    let passed = 0;
    ticksAhead(world, () => (passed += 3_000));
    const asked = await scene.withdraw().catch((error: unknown) => error);
    jest.restoreAllMocks();
    expect(asked).toMatchObject({ kind: 'timeout' });
    await letGo();
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test.each([
    ['lowers a cap', 'caps', { singleCents: 5_000 }, 'held cap_exceeded_single'],
    ['makes its client prepaid', 'prepaid', true, 'owed'],
    ['allows withdrawals no more', 'withdraw_policy', { enabled: false }, 'withdrawals_disabled'],
    ['closes its client', 'status', 'closed', 'payer_not_found'],
  ])('leaves by what the client allows by then, where an operator %s meanwhile', async (_, field, value, outcome) => {
    const scene = await owed(await world.client(), 'FR');
    const letGo = await holdingPayees(payeesOf([scene]));
    const asked = scene.withdraw().then(
      ([payout]) => (payout ? `${payout.status} ${payout.statusReason?.split(':')[0]}` : 'owed'),
      ({ code }: { code: string }) => code,
    );
    await waitedFor(world.db, 'payees', 'id = $1', [scene.payee.id]);
    await world.db.execute(`UPDATE clients SET ${field} = $2 WHERE id = $1`, [scene.client.id, value]);
    await letGo();
    expect(await asked).toBe(outcome);
  });
});
