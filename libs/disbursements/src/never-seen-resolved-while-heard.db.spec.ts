/**
 * An admin resolves a difference with `rows: owed, neverSeen: true`, and waits for the payout: whoever holds it is writing down that its money is out. An
 * admin's word goes as money is heard of, also while it waits for the payout (2; ADR 120), as `fail {neverSeen}` does: their rows stay.
 */
import { happening } from '#libs/db/testing';
import { DriftBook } from '#libs/drift';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { ResolveDrift } from '#libs/reconciliation';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';
import { SettleDisputed } from './use-cases/settle-disputed';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };
const WAITS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('neverSeen, said with a decision while its rail says that the money is out', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each(['after', 'before'])('frees no rows (that is written down %s the decision)', async (when) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled() as LookupFact);
    await scene.tells(payout, CAME_BACK);
    const lines = await scene.openDrift(payout);
    const [back, out] = ['amount_differs', 'not_paid_here'].map((kind) => lines.find((line) => line.kind === kind)!.id);
    const resolving = world.get(ResolveDrift);
    const resolve = async (id: string): Promise<void> => {
      const read = await resolving.read(id);
      await world.db
        .inTransaction(async () => {
          const found = await resolving.run(id, { by: 'an admin', note: null, ...read });
          await world.get(SettleDisputed).run(found.payout!, found.after, 'owed', true);
          await resolving.decidedAbout(id);
        })
        .catch((error: { code: string }) => expect(error.code).toBe('illegal_transition'));
    };

    await resolve(back!);
    const [isHeld, goesOn] = [happening(), happening()];
    const book = world.get(DriftBook);
    const heard = book.heard.bind(book);
    jest.spyOn(book, 'heard').mockImplementationOnce(async (...words) => {
      isHeld.happens();
      await goesOn.promise;
      return heard(...words);
    });
    const hear = (): Promise<void> => scene.tells(payout, settled() as LookupFact);
    if (when === 'after') {
      await resolve(out!);
      goesOn.happens();
      await hear();
    } else {
      const hearing = hear();
      await isHeld.promise;
      const deciding = resolve(out!);
      while ((await world.db.row(WAITS)) === null) await new Promise((resolve) => setImmediate(resolve));
      goesOn.happens();
      await Promise.all([hearing, deciding]);
    }
    world.rail.knows.set(payout.railKey, SILENT);
    await scene.push(1_000);
    world.rail.answers = () => settled('once more');
    expect([await scene.outcome(), await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
  });
});
