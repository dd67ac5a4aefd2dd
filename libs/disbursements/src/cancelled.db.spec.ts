/** A caller takes a payout back: only if nothing of it left, and its rows go out again only when somebody asks for that. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { CancelPayout, GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseOwed } from './use-cases/release-owed';

const REFUSED = { code: 'payout_not_cancellable' };

describe('a payout that its caller cancels', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const cancel = async ({ id }: Payout): Promise<Payout> => world.get(CancelPayout).run(await world.payout(id));
  /** Sent, and held since: its rail had no funds. */
  const sentAndHeld = async (scene: OwedScene): Promise<Payout> => {
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => refused('funding');
    await world.drive(payout.id);
    world.rail.answers = null;
    const held = await world.payout(payout.id);
    expect(held).toMatchObject({ status: 'held', submittedAt: expect.any(Date) });
    return held;
  };

  test('is not sent by the worker that came for it, and owes its rows again', async () => {
    const scene = await OwedScene.of(world, client);
    const row = await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    const job = await world.takeJob(payout.id);
    const cancelled = await cancel(payout);
    expect(cancelled).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(cancelled.statusReason).toBe('cancelled_by_client');
    await world.drive(payout.id, job);
    expect(world.rail.calls).toEqual([]);
    expect(await scene.statuses(row)).toEqual(['owed']);
    expect(await scene.balance()).toMatchObject({ withdrawableCents: 6_000 });
    expect(await cancel(payout)).toEqual(cancelled);
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('leaves again by a withdrawal, and not by itself', async () => {
    const scene = await OwedScene.of(world, client, 'IT');
    await scene.push(6_000);
    const byItself = async () => (await world.get(ReleaseOwed).byItself(client, scene.payee.id)).payouts;
    const [payout] = (await byItself()) as [Payout];
    expect(payout).toMatchObject({ provider: 'swap_rail', amountCents: 6_000 });
    await cancel(payout);
    expect(await byItself()).toEqual([]);
    await scene.push(500);
    expect((await byItself()).map(({ amountCents }) => amountCents)).toEqual([500]);
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('has left once a worker took its send on, also while it waits for the answer', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    const driven = world.drive(payout.id);
    const call = await world.rail.callFor(payout.id);
    await expect(cancel(payout)).rejects.toMatchObject(REFUSED);
    call.answer(accepted('on its way'));
    await driven;
    expect(await world.status(payout.id)).toBe('submitted');
  });

  test('and that was sent before, once its rail says that nothing of it moved', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const held = await sentAndHeld(scene);
    world.rail.knows.set(held.railKey, refused('funding'));
    expect(await cancel(held)).toMatchObject({ status: 'failed', statusReason: 'cancelled_by_client' });
  });

  test.each([
    ['moved it after all', settled('after all'), 'paid'],
    ['has it under way', accepted('under way'), 'submitted'],
    ['cannot tell', { kind: 'unknown', detail: 'a bad minute' } as const, 'held'],
  ])('stays if its rail %s', async (_, fact, status) => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const held = await sentAndHeld(scene);
    world.rail.knows.set(held.railKey, fact);
    await expect(cancel(held)).rejects.toMatchObject(REFUSED);
    expect(await world.status(held.id)).toBe(status);
  });

  test.each([
    ['moved it', settled('before'), 'refused'],
    ['has it under way', accepted('before'), 'refused'],
    ['cannot tell', { kind: 'unknown', detail: 'a bad minute' } as const, 'failed'],
    ['never saw it', { kind: 'never_seen' } as const, 'failed'],
  ])(
    'and that was never sent, as far as a restored database knows, while its rail %s: %s',
    async (_, fact, outcome) => {
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      const [payout] = (await scene.withdraw()) as [Payout];
      world.rail.knows.set(payout.railKey, fact);
      const cancelling = cancel(payout).then(
        ({ status }) => status,
        ({ code }: { code: string }) => (code === REFUSED.code ? 'refused' : code),
      );
      expect(await cancelling).toBe(outcome);
      if (outcome === 'failed') return;
      // It goes on, and learns of what there is.
      expect(await world.status(payout.id)).toBe('authorized');
      world.rail.answers = () => fact as ReturnType<typeof settled>;
      await world.drive(payout.id);
      expect(['paid', 'submitted']).toContain(await world.status(payout.id));
    },
  );

  test('stays if it was let go on and sent while its rail was asked', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const held = await sentAndHeld(scene);
    world.rail.knows.set(held.railKey, refused('funding'));
    let letGo = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (letGo = resolve));
    const asked = world.rail.asked.length;
    const cancelling = cancel(held);
    while (world.rail.asked.length === asked) await new Promise((resolve) => setImmediate(resolve));
    world.rail.lookupGate = Promise.resolve();
    await world.get(RemedyPayout).release(await world.payout(held.id), 'operator');
    world.rail.answers = () => accepted('sent again');
    await world.drive(held.id);
    letGo();
    await expect(cancelling).rejects.toMatchObject(REFUSED);
    expect(await world.status(held.id)).toBe('submitted');
  });

  test('is cancelled once, by one of those who do so at the same time', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    const all = await Promise.all([cancel(payout), cancel(payout), cancel(payout)]);
    expect(new Set(all.map(({ sequence }) => sequence)).size).toBe(1);
    await expect(world.get(RemedyPayout).retry(await world.payout(payout.id), 'client')).rejects.toMatchObject({
      code: 'payout_not_retryable',
    });
  });

  test('and is given up, or was: one of the two', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const held = await sentAndHeld(scene);
    await world.get(GiveUpPayout).run(held, null);
    await expect(cancel(held)).rejects.toMatchObject(REFUSED);
  });

  test('whose rail moves its money all the same is named as a difference', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const held = await sentAndHeld(scene);
    world.rail.knows.set(held.railKey, refused('funding'));
    await cancel(held);
    await scene.tells(held, settled('after all'));
    expect(await scene.openDrift(held)).toHaveLength(1);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('gives back what it drew on its wallet', async () => {
    const prepaid = await world.client({ prepaid: true });
    const scene = await OwedScene.of(world, prepaid, 'IT');
    const entry = { type: 'deposit', currency: 'USD', amountCents: 6_000, reference: 'r', note: null } as const;
    await world.get(WalletBook).post({ ...entry, clientId: prepaid.id });
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(payout.status).toBe('authorized');
    await cancel(payout);
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
