/** Owed money that should leave by itself does, whatever happens at the same time and whoever else cannot be paid. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';
import { RecoverOwed } from './jobs/recover-owed';

describe('owed money that leaves by itself', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  beforeEach(() => {
    world.rail.reset();
    world.rail.answers = () => accepted();
  });
  afterEach(() => world.db.execute('DELETE FROM jobs'));
  afterAll(() => world.stop());

  /** As a worker sees it: what an open transaction has in its hands is not there. */
  const waiting = async (entityId: string): Promise<string[]> => {
    const free = 'SELECT name FROM jobs WHERE entity_id = $1 FOR UPDATE SKIP LOCKED';
    const jobs = await world.db.rows<{ name: string }>(free, [entityId]);
    return jobs.map(({ name }) => name);
  };
  /** What a worker does now, if there is anything to do. */
  const work = async (entityId: string): Promise<void> => {
    if ((await waiting(entityId)).includes('owed.release')) await world.work('owed.release', entityId);
  };
  /** In a transaction that stays open until it is let go. */
  const open = async <T>(begin: () => Promise<T>) => {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let begun: (result: T) => void = () => undefined;
    const result = new Promise<T>((resolve) => (begun = resolve));
    const done = world.db.inTransaction(async () => {
      const result = await begin();
      // What it writes leaves unawaited: this comes behind it, and then it holds what it wrote.
      await world.db.rows('SELECT 1');
      begun(result);
      await gate;
    });
    const close = async (): Promise<void> => {
      letGo();
      await done;
    };
    return { result: await Promise.race([result, done.then(() => result)]), close };
  };
  const somebodyWaits = async (): Promise<void> => {
    const locks = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await world.db.rows(locks)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const becomesPayable = ({ payee }: OwedScene) =>
    world.get(UpsertPayee).run(client, { externalId: payee.externalId, country: 'IT' });

  test('leaves when the payee becomes payable while the credit is on its way', async () => {
    const scene = await OwedScene.of(world, client, 'US');
    const push = await open(() => scene.push(6_000));
    const change = becomesPayable(scene);
    await Promise.race([change, somebodyWaits()]);
    await work(scene.payee.id);
    await push.close();
    await change;
    await work(scene.payee.id);
    expect(await scene.statuses(push.result)).toEqual(['released']);
  });

  test('leaves when the credit comes while the payee becomes payable', async () => {
    const scene = await OwedScene.of(world, client, 'US');
    const change = await open(() => becomesPayable(scene));
    const pushing = open(() => scene.push(6_000));
    await Promise.race([pushing, somebodyWaits()]);
    await change.close();
    const push = await pushing;
    await work(scene.payee.id);
    await push.close();
    await work(scene.payee.id);
    expect(await scene.statuses(push.result)).toEqual(['released']);
  });

  test('waits while its client is suspended, and no longer', async () => {
    const other = await world.client();
    const scene = await OwedScene.of(world, other, 'IT');
    const row = await scene.push(6_000);
    await world.setStatus(other, 'suspended');
    await work(scene.payee.id);
    expect(await scene.statuses(row)).toEqual(['owed']);
    expect(await waiting(scene.payee.id)).toEqual(['owed.release']);
    await world.setStatus(other, 'active');
    await work(scene.payee.id);
    expect(await scene.statuses(row)).toEqual(['released']);
  });

  describe('of a prepaid client', () => {
    let prepaid: Client;
    beforeEach(async () => {
      prepaid = await world.client({ prepaid: true });
    });

    const deposit = async (amountCents: number): Promise<void> => {
      const entry = { type: 'deposit', currency: 'USD', reference: randomUUID(), note: null } as const;
      await world.get(WalletBook).post({ ...entry, clientId: prepaid.id, amountCents });
      await world.work('owed.funded', prepaid.id);
    };
    /** Credited, looked at, and not covered. */
    const uncovered = async (amountCents: number) => {
      const scene = await OwedScene.of(world, prepaid, 'IT');
      const row = await scene.push(amountCents);
      await work(scene.payee.id);
      expect(await scene.statuses(row)).toEqual(['owed']);
      return { scene, row };
    };

    test('leaves once there are funds, where a wallet covers it', async () => {
      const small = await uncovered(1_000);
      const large = await uncovered(9_000);
      await deposit(1_500);
      expect(await waiting(small.scene.payee.id)).toEqual(['owed.release']);
      expect(await waiting(large.scene.payee.id)).toEqual([]);
      await work(small.scene.payee.id);
      expect(await small.scene.statuses(small.row)).toEqual(['released']);
    });

    test('leaves after the cool-down if the funds come during it', async () => {
      const { scene, row } = await uncovered(1_000);
      await world.get(UpsertPayee).run(prepaid, { externalId: scene.payee.externalId, email: 'new@example.com' });
      await deposit(1_500);
      await work(scene.payee.id);
      expect(await scene.statuses(row)).toEqual(['owed']);
      const ago = `UPDATE payees SET email_changed_at = now() - interval '25 hours' WHERE id = $1`;
      await world.db.execute(ago, [scene.payee.id]);
      await work(scene.payee.id);
      expect(await scene.statuses(row)).toEqual(['released']);
    });

    test('is found however many wait', async () => {
      await world.db.execute(MANY, [prepaid.id, 'swap_rail', 2_500]);
      await deposit(1_000_000);
      expect(await world.db.rows(`SELECT FROM jobs WHERE name = 'owed.release'`)).toHaveLength(2_500);
    });
  });

  describe('and whose job is gone', () => {
    beforeEach(() => world.db.execute('DELETE FROM disbursements'));

    const recover = () => world.get(RecoverOwed).recover();
    const lost = async (owner: Client, country: string) => {
      const scene = await OwedScene.of(world, owner, country);
      const row = await scene.push(6_000);
      await world.db.execute('DELETE FROM jobs WHERE entity_id = $1', [scene.payee.id]);
      return { scene, row };
    };

    test('leaves all the same', async () => {
      const { scene, row } = await lost(client, 'IT');
      expect(await recover()).toBe(1);
      expect(await recover()).toBe(0);
      await work(scene.payee.id);
      expect(await scene.statuses(row)).toEqual(['released']);
      expect(await recover()).toBe(0);
    });

    test('is left alone where something is against it, or somebody has to ask for it', async () => {
      const suspended = await world.client();
      await lost(suspended, 'IT');
      await world.setStatus(suspended, 'suspended');
      await lost(await world.client({ prepaid: true }), 'IT');
      for (const country of ['US', 'DE', 'FR']) await lost(client, country);
      expect(await recover()).toBe(0);
      await world.setStatus(suspended, 'active');
      expect(await recover()).toBe(1);
    });

    test('is found however many are owed', async () => {
      const other = await world.client();
      await world.db.execute(MANY, [other.id, 'claim_rail', 1_200]);
      await world.db.execute(MANY, [(await world.client()).id, 'swap_rail', 1_300]);
      expect(await recover()).toBe(1_300);
      expect(await recover()).toBe(0);
    });
  });

  test('a credit to somebody who is payable already, and is being changed, releases nothing where becoming payable does', async () => {
    const scene = await OwedScene.of(world, client);
    await world.db.execute('DELETE FROM jobs'); // of becoming payable
    const change = await open(() =>
      world.db.row('SELECT FROM payees WHERE id = $1 FOR NO KEY UPDATE', [scene.payee.id]),
    );
    await scene.push(10_000);
    await change.close();
    expect(await waiting(scene.payee.id)).toEqual([]);
  });
});

const MANY = `
  WITH payee AS (
    INSERT INTO payees (id, client_id, external_id, provider, payable, kyc_status, onboarding_status)
    SELECT gen_random_uuid(), $1, 'many ' || n, $2, true, 'not_started', 'not_started' FROM generate_series(1, $3::int) AS n
    RETURNING id, client_id, external_id
  )
  INSERT INTO disbursements (id, client_id, payee_id, external_ref, amount_cents, currency, status, created_at, updated_at)
  SELECT gen_random_uuid(), client_id, id, external_id, 1000, 'USD', 'owed', now(), now() FROM payee`;
