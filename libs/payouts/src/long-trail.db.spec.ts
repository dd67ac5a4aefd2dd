/** A payout that was released over and over: its trail is long, what is read of it is not, and it grows slowly. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { FIRST_LINES, NEWEST_LINES } from './db/trail';
import { ReadPayout } from './use-cases/read-payout';
import { transactionDetailView } from './http/payout.view';
import { MANY_STEPS } from './use-cases/ask-before-sending';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a payout with a long trail', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** One that its rail had no funds for, with that many steps, as if it had been tried for hours. */
  const triedOften = async (steps: number): Promise<string> => {
    world.rail.answers = () => refused('funding');
    const { id } = await world.pay(client, await world.payee(client, { country: 'ES' }));
    world.rail.knows.set((await world.payout(id)).railKey, refused('funding'));
    await world.db.execute(
      `INSERT INTO payout_trail (id, payout_id, sequence, type, from_status, to_status, actor, created_at)
       SELECT gen_random_uuid(), id, nth, CASE (nth - sequence - 1) % 3 WHEN 0 THEN 'retry' WHEN 1 THEN 'submit' ELSE 'refuse' END,
         CASE (nth - sequence - 1) % 3 WHEN 0 THEN 'failed' WHEN 1 THEN 'authorized' ELSE 'submitted' END,
         CASE (nth - sequence - 1) % 3 WHEN 0 THEN 'authorized' WHEN 1 THEN 'submitted' ELSE 'failed' END, 'client', now()
       FROM payouts, generate_series(sequence + 1, $2::int) AS nth WHERE id = $1`,
      [id, steps],
    );
    await world.db.execute('UPDATE payouts SET sequence = $2 WHERE id = $1', [id, steps]);
    return id;
  };
  const retry = async (id: string): Promise<unknown> =>
    world
      .get(RemedyPayout)
      .retry(await world.payout(id), 'client')
      .catch((error: unknown) => error);

  test.each([
    [FIRST_LINES + NEWEST_LINES, 0],
    [FIRST_LINES + NEWEST_LINES + 2, 2],
    [50_000, 50_000 - FIRST_LINES - NEWEST_LINES],
  ])('of %d steps the first and the newest are told, and how many are left out', async (steps, leftOut) => {
    const id = await triedOften(steps);
    const { lines } = (await world.get(ReadPayout).ofAnybody(id)).trail;
    expect(lines.map(({ sequence }) => sequence)).toEqual([
      ...Array.from({ length: FIRST_LINES }, (_, index) => index + 1),
      ...Array.from({ length: NEWEST_LINES }, (_, index) => steps - NEWEST_LINES + 1 + index),
    ]);
    const view = transactionDetailView(await world.payout(id), (await world.get(ReadPayout).ofAnybody(id)).trail, 1);
    expect([view.events.length, view.eventsLeftOut]).toEqual([FIRST_LINES + NEWEST_LINES, leftOut]);
    expect(view.events.map(({ fromStatus }) => fromStatus)).toEqual(lines.map(({ fromStatus }) => fromStatus));
  });

  test('after very many tries there is one in a minute, and it stays what it is meanwhile', async () => {
    const id = await triedOften(MANY_STEPS);
    expect(await retry(id)).toMatchObject({ code: 'payout_not_retryable' });
    expect((await world.payout(id)).sequence).toBe(MANY_STEPS);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '1 minute' WHERE id = $1`, [id]);
    expect(await retry(id)).toMatchObject({ status: 'failed' });
    expect((await world.payout(id)).sequence).toBeGreaterThan(MANY_STEPS);
  });

  test('before that each try counts', async () => {
    const id = await triedOften(MANY_STEPS - 1);
    expect(await retry(id)).toMatchObject({ status: 'failed' });
  });
});
