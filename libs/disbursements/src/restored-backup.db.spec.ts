/** A database restored from an old backup knows nothing of a payee who was made since. Nobody is paid twice for that. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { HELD_IN_DISPUTE, type Payout } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout, SelfReleaseJobs } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { ResolveDrift } from '#libs/reconciliation';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a database that was restored from before a payee was made', () => {
  let worlds: MoneyWorld[];
  beforeAll(async () => {
    worlds = [await startOwedWorld(), await startOwedWorld()];
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  const clientId = randomUUID();
  const clients = new Map<MoneyWorld, Client>();
  const clientOf = async (world: MoneyWorld): Promise<Client> => {
    const client = clients.get(world) ?? (await world.client());
    if (!clients.has(world)) await world.db.execute('UPDATE clients SET id = $2 WHERE id = $1', [client.id, clientId]);
    clients.set(world, { ...client, id: clientId });
    return { ...client, id: clientId };
  };

  test('the rows of the payee, pushed again, have the same code', async () => {
    const codes: string[] = [];
    for (const world of worlds) {
      const client = await clientOf(world);
      const scene = await OwedScene.of(world, client, 'FR', { externalId: 'ada' });
      await scene.push(6_000, 'row-1');
      const [payout] = await scene.withdraw();
      codes.push(payout?.railKey ?? '');
    }
    expect(codes[1]).toBe(codes[0]);
  });

  test('rows that were on a payout which was never sent have the same code', async () => {
    const codes: string[] = [];
    for (const [place, world] of worlds.entries()) {
      const client = await clientOf(world);
      const scene = await OwedScene.of(world, client, 'FR', { externalId: 'bob' });
      await scene.push(6_000, 'row-2');
      if (place === 0) {
        await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
        const [held] = (await scene.withdraw()) as [Payout];
        await world.get(GiveUpPayout).run(held, null);
        await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
      }
      const [payout] = await scene.withdraw();
      codes.push(payout?.railKey ?? '');
    }
    expect(codes[1]).toBe(codes[0]);
  });

  test('what came back and was paid again has the same code', async () => {
    const codes: string[] = [];
    for (const world of worlds) {
      const client = await clientOf(world);
      const scene = await OwedScene.of(world, client, 'FR', { externalId: 'eve' });
      await scene.push(6_000, 'row-3');
      const [payout] = (await scene.withdraw()) as [Payout];
      world.rail.answers = () => settled('one');
      await world.drive(payout.id);
      await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
      const [again] = await scene.withdraw();
      codes.push(again?.railKey ?? '');
    }
    expect(codes[1]).toBe(codes[0]);
  });

  describe('and whose rail has forgotten what it paid meanwhile', () => {
    const DAY = 86_400_000;
    /** In one database the rail pays, which the other one knows nothing of; there it was compared with a day ago. */
    const paidBefore = async (fields: { externalId: string; country: string }, pays: Pays): Promise<OwedScene> => {
      const [before, restored] = worlds as [MoneyWorld, MoneyWorld];
      const paying = await OwedScene.of(before, await clientOf(before), fields.country, fields);
      before.rail.answers = () => settled('before');
      const { railKey, amountCents, id } = await pays(before, paying);
      if ((await before.status(id)) === 'authorized') await before.drive(id);
      expect(await before.status(id)).toBe('paid');
      restored.rail.reset();
      restored.rail.answers = () => settled('again');
      const movedAt = new Date(systemClock.now().getTime() - DAY / 2);
      restored.rail.moved = [{ railKey, providerRef: 'before', amountCents, currency: 'USD', movedAt }];
      await compare(restored);
      await restored.db.execute(`DELETE FROM drift`);
      await restored.db.execute(`DELETE FROM rail_movements`);
      await restored.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 day'`);
      return OwedScene.of(restored, await clientOf(restored), fields.country, fields);
    };
    type Pays = (world: MoneyWorld, scene: OwedScene) => Promise<Payout>;
    const withdrawn: Pays = async (_, scene) => {
      await scene.push(6_000, `row of ${scene.payee.externalId}`);
      return (await scene.withdraw())[0] as Payout;
    };
    const direct: Pays = async (world, { client, payee }) =>
      world.payout((await world.pay(client, payee, 6_000, `key of ${payee.externalId}`)).id);

    test.each([
      ['a withdrawal to an account', 'FR', withdrawn],
      ['a withdrawal behind a link', 'DE', withdrawn],
      ['a payout of the caller', 'DE', direct],
    ])('%s is sent only once what the rail lists was compared with', async (what, country, pays) => {
      const scene = await paidBefore({ externalId: what, country }, pays);
      const [, restored] = worlds as [MoneyWorld, MoneyWorld];
      const { id } = await pays(restored, scene);
      await restored.drive(id);
      expect(await restored.status(id)).toBe('authorized');
      await compare(restored);
      await restored.drive(id);
      expect(await restored.payout(id)).toMatchObject({
        status: 'held',
        statusReason: expect.stringMatching(/^route_blocked: a rail says/) as string,
      });
      expect(restored.rail.calls).toEqual([]);
    });

    test('a withdrawal behind a link is not sent by its request, once the money was listed', async () => {
      const scene = await paidBefore({ externalId: 'link', country: 'DE' }, withdrawn);
      const [, restored] = worlds as [MoneyWorld, MoneyWorld];
      await compare(restored);
      const { id } = await withdrawn(restored, scene);
      expect(await restored.status(id)).toBe('held');
      expect(restored.rail.calls).toEqual([]);
      // Whoever looked at the rail gives it up, and calls the rows paid.
      await compare(restored);
      await restored.get(GiveUpPayout).run(await restored.payout(id), null);
      expect(await scene.resolve({ id } as Payout, 'paid')).toBe(1);
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
    });

    describe('and whose rows leave with one more', () => {
      /** As an hour of the database was lost: its rail would know the code of the rows still, and is asked for another one. */
      const oneMore = async (externalId: string, country: string): Promise<{ id: string; scene: OwedScene }> => {
        const scene = await paidBefore({ externalId, country }, withdrawn);
        const [, restored] = worlds as [MoneyWorld, MoneyWorld];
        const movedAt = new Date(systemClock.now().getTime() - DAY / 48);
        restored.rail.moved = restored.rail.moved.map((each) => ({ ...each, movedAt }));
        await restored.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 hour'`);
        await scene.push(2_000, `one more of ${externalId}`);
        return { id: (await withdrawn(restored, scene)).id, scene };
      };
      /** What was paid, and is listed as nobody's: by each rail, for here they are one. */
      const unknown = async (world: MoneyWorld): Promise<string[]> => {
        const drift = await world.get(DriftReads).list({ open: true }, null, 100);
        const [moved] = world.rail.moved;
        const ofIt = drift.filter(({ kind, railKey }) => kind === 'unknown_here' && railKey === moved?.railKey);
        return ofIt.map(({ id }) => id);
      };

      test.each(['FR', 'DE'])(
        'they wait until what was paid was listed, and then until somebody looked (%s)',
        async (country) => {
          const { id, scene } = await oneMore(`more ${country}`, country);
          const [, restored] = worlds as [MoneyWorld, MoneyWorld];
          await restored.drive(id);
          expect(await restored.payout(id)).toMatchObject({ status: 'authorized', amountCents: 8_000 });
          await compare(restored);
          await restored.drive(id);
          expect(await restored.payout(id)).toMatchObject({ status: 'held', statusReason: HELD_IN_DISPUTE });
          // Given up, and withdrawn once more: the same.
          await restored.get(GiveUpPayout).run(await restored.payout(id), null);
          const [again] = (await scene.withdraw()) as [Payout];
          expect(await restored.payout(again.id)).toMatchObject({ status: 'held', statusReason: HELD_IN_DISPUTE });
          expect(restored.rail.calls).toEqual([]);

          for (const found of await unknown(restored))
            await restored.get(ResolveDrift).run(found, { by: 'ada', note: 'of rows that nobody pushes again' });
          await restored.get(SelfReleaseJobs).sweep();
          await restored.drive(again.id);
          expect(await restored.status(again.id)).toBe('paid');
        },
      );

      test('those of others do not wait for them', async () => {
        await oneMore('of one', 'FR');
        const [, restored] = worlds as [MoneyWorld, MoneyWorld];
        await compare(restored);
        expect(await unknown(restored)).not.toEqual([]);
        const other = await OwedScene.of(restored, await clientOf(restored), 'FR', { externalId: 'of another' });
        const { id } = await withdrawn(restored, other);
        await restored.drive(id);
        expect(await restored.status(id)).toBe('paid');
      });
    });

    test('a payout that failed is not tried again before that', async () => {
      const [, restored] = worlds as [MoneyWorld, MoneyWorld];
      await restored.db.execute(`UPDATE rail_scans SET scanned_until = now()`);
      restored.rail.reset();
      const scene = await OwedScene.of(restored, await clientOf(restored), 'DE', { externalId: 'retry' });
      restored.rail.answers = () => refused();
      const { id } = await withdrawn(restored, scene);
      const payout = await restored.payout(id);
      expect(payout.status).toBe('failed');
      restored.rail.knows.set(payout.railKey, refused());
      await restored.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 day'`);
      const retry = () => restored.get(RemedyPayout).retry(payout, 'client');
      await expect(retry()).rejects.toMatchObject({ code: 'payout_not_retryable' });
      await compare(restored);
      restored.rail.answers = () => settled();
      expect((await retry()).status).toBe('paid');
    });
  });
});
