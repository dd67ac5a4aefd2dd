/**
 * A restored database asks again for money that moved over another rail than its payee is paid over now: the account was adopted
 * after the backup, or an operator has turned to another rail. Its code is listed there, and nobody here knows of it.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { HELD_IN_DISPUTE, type Payout, railKeyOf } from '#libs/payout-rules';
import { RemedyPayout, SelfReleaseJobs } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { codeOfRows, isListedBy, OwedScene, startOwedWorld } from '../testing/src';

describe('money that another rail lists under the code of a payout', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
  });

  const codeOfKey = (key: string): string => railKeyOf('spec', client.id, key);
  /** It waits for a person, and its rail was not called. */
  const isNotPaidAgain = async (id: string): Promise<void> => {
    const payout = await world.payout(id);
    expect([payout.status, world.rail.calls.length]).toEqual(['held', 0]);
  };
  /** The schedules of half a minute, and a worker. */
  const goesOn = async (id: string): Promise<void> => {
    await world.get(SelfReleaseJobs).sweep();
    await world.get(SelfReleaseJobs).release();
    if ((await world.status(id)) !== 'held') await world.drive(id);
  };

  test('holds what its caller asks for again, also once the schedules looked at it', async () => {
    const key = randomUUID();
    await isListedBy(world, 'custodial_a', codeOfKey(key));
    const payee = await world.payee(client, { country: 'DE' });
    const { id } = await world.pay(client, payee, 6_000, key);
    expect(await world.payout(id)).toMatchObject({
      status: 'held',
      statusReason: HELD_IN_DISPUTE,
      provider: 'claim_rail',
    });
    await goesOn(id);
    await isNotPaidAgain(id);
  });

  test('holds a withdrawal of the same rows, also once the schedules looked at it', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    const code = await codeOfRows(world, scene, await scene.push(6_000));
    await isListedBy(world, 'custodial_a', code);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(id)).toMatchObject({ railKey: code, status: 'held', statusReason: HELD_IN_DISPUTE });
    await goesOn(id);
    await isNotPaidAgain(id);
  });

  test('holds what was held for another cause, and is released', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: null });
    const { id } = await world.pay(client, payee, 6_000, key);
    expect(await world.payout(id)).toMatchObject({ status: 'held', provider: null });
    await isListedBy(world, 'custodial_a', codeOfKey(key));
    await world.payee(client, { externalId: payee.externalId, country: 'DE' });
    const released = await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    if (released.status === 'authorized') await world.drive(id);
    await isNotPaidAgain(id);
  });

  test('holds what waited for its rail when it was listed', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: 'DE' });
    const { id } = await world.pay(client, payee, 6_000, key);
    expect(await world.status(id)).toBe('authorized');
    await isListedBy(world, 'custodial_a', codeOfKey(key));
    await world.drive(id);
    await isNotPaidAgain(id);
  });

  test('holds what had no rail yet, also where its request would send it', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: null });
    const { id } = await world.pay(client, payee, 6_000, key);
    await isListedBy(world, 'at_once', codeOfKey(key));
    await world.payee(client, { externalId: payee.externalId, country: 'ES' });
    await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    await isNotPaidAgain(id);
  });

  test('keeps from another try what its own rail refused', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: 'DE' });
    const { id } = await world.pay(client, payee, 6_000, key);
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.knows.set(codeOfKey(key), refused());
    await isListedBy(world, 'custodial_a', codeOfKey(key));
    world.rail.answers = () => settled('again');
    await expect(world.get(RemedyPayout).retry(await world.payout(id), 'operator')).rejects.toMatchObject({
      code: 'payout_not_retryable',
    });
    expect(world.rail.calls).toHaveLength(1);
  });
});
