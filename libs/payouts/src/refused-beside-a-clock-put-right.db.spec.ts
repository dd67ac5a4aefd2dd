/**
 * The clock of the database was 50 s ahead and is put right. A process that was there before goes on dating what it does as before (ADR 54: its questions never go back). Others that were
 * started since send a payout, twice: the first call is slow, the second refused. That first call is as young as it is: the refusal, which the process of before hears as
 * well, is no last word meanwhile (point 1: a refusal ends a payout only if no other attempt can still move money).
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DatabaseClock } from '#libs/db';
import type { LookupFact } from '#libs/rail-kit';
import { AskRail } from './index';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

describe('a call of a process that was started after a clock was put right', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** A process that looked when it was so far ahead, and again since it was put right. */
  const thatSaw = (...aheadMs: number[]): DatabaseClock => {
    const clock = new DatabaseClock();
    for (const ms of aheadMs) {
      clock.set(new Date(systemClock.now().getTime() + ms), clock.reading());
      clock.nextDate(); // it dates a question, or looks how old a call is
    }
    return clock;
  };

  test.each([0, 50_000])('is under way (the clock was ahead by %i ms)', async (ms) => {
    world.rail.reset();
    const clock = world.get(DatabaseClock);
    const as = (other: DatabaseClock): DatabaseClock => Object.assign(clock, other);
    as(thatSaw(0)); // processes that were started since
    const { id, railKey } = await world.pay(client, await world.payee(client));
    const slow = world.drive(id);
    const call = await world.rail.call(1);
    const second = world.drive(id);
    (await world.rail.call(2)).answer(refused());
    await second;
    as(thatSaw(ms, 0)); // one that was there before
    world.rail.knows.set(railKey, refused() as LookupFact);
    await world.get(AskRail).lookUp(await world.payout(id));
    const meanwhile = await world.status(id);
    call.answer(accepted());
    await slow;
    expect([meanwhile, await world.status(id)]).toEqual(['submitted', 'submitted']);
  });
});
