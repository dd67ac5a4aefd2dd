/**
 * Money came back, and an admin said that it is not out again (`neverSeen`). Then its rail has it out after all: an operator finds it at its payee, it comes
 * back from the bank, and an operator calls the rows owed, without `neverSeen`. "`neverSeen` has to be said with it" (ADR 120): what the admin found out was
 * about the time before, so the rows stay while the rail cannot be asked (point 2), as they do if the admin had never said it.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('an admin’s `neverSeen` of before its money was called paid, and came back', () => {
  let world: MoneyWorld;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());

  /** Of the row that was owed first, and of the one that its return left. */
  const statuses = async ({ payee }: OwedScene): Promise<string[]> => {
    const rows = await world.db.rows<{ status: string }>(
      'SELECT status FROM disbursements WHERE payee_id = $1 AND amount_cents = 6000 ORDER BY id',
      [payee.id],
    );
    return rows.map(({ status }) => status);
  };

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (_, country) => {
    test.each([false, true])('frees no rows while its rail is silent (it was said: %s)', async (neverSeen) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, await world.client(), country);
      await scene.push(6_000);
      world.rail.answers = () => settled('one');
      const first = await scene.sent();
      const resolve = async (rows: 'owed' | 'paid', never = false) => {
        for (const { id } of await scene.openDrift(first))
          await operate.resolve('ada', id, { note: null, rows, neverSeen: never });
        expect(await scene.openDrift(first)).toEqual([]);
      };
      await scene.tells(first, CAME_BACK);
      await scene.tells(first, accepted('again') as LookupFact);
      await resolve('owed', neverSeen);
      await scene.tells(first, CAME_BACK);
      if ((await scene.openDrift(first)).length > 0) await resolve('owed', neverSeen);
      await scene.tells(first, settled('a third time') as LookupFact);
      await resolve('paid');
      expect(await statuses(scene)).toEqual(['returned', 'paid']);
      await scene.tells(first, CAME_BACK);
      await resolve('owed');
      expect(await statuses(scene)).toEqual(['returned', 'owed']);
      // It goes out once more, and its rail is silent.
      world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
      world.rail.answers = () => settled('once more');
      await scene.push(1_000);
      const left = await scene.outcome();
      expect([left, await statuses(scene)]).toEqual([[1_000], ['returned', 'owed']]);
    });
  });
});
