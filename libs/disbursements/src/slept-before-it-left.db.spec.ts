/**
 * A machine sleeps in the middle of a send, right before its request leaves: its ticks stand still meanwhile, and only its system clock tells.
 * Others take the send for over after 45 seconds, and let the rows leave under another code.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { RailCall, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { type LoopbackServer, startLoopbackServer } from '#libs/rail-kit/testing';
import { Transport } from '#libs/rail-transport';
import { OwedScene, startOwedWorld } from '../testing/src';

const SLEPT_SECONDS = 900;
const isAnswer = (body: unknown): body is { id: string } => typeof (body as { id?: unknown }).id === 'string';
const isProblem = (body: unknown): body is { errors: object } => 'errors' in (body as object);

describe('a send whose machine slept before its request left', () => {
  let world: MoneyWorld;
  let client: Client;
  let provider: LoopbackServer;
  let hasFunds = false;
  const paid: number[] = [];
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
    // As Tremendous: what it turns away for lack of funds uses its name up in no way.
    provider = await startLoopbackServer((request, response) => {
      const cents = Number(request.url?.slice(1));
      if (hasFunds) paid.push(cents);
      response.writeHead(hasFunds ? 200 : 402).end(JSON.stringify(hasFunds ? { id: `${cents}` } : { errors: {} }));
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.stop();
    await provider.close();
  });

  /** As rails make it, over the transport of all of them. */
  const sent = async ({ amountCents }: RailOrder, call?: RailCall): Promise<SubmitAnswer> => {
    const transport = new Transport({ baseUrl: provider.url, timeoutMs: 10_000 });
    const asked = { method: 'POST', path: `/${amountCents}`, found: isAnswer, problem: isProblem } as const;
    const answer = await transport.call({ ...asked, signal: call?.signal });
    if (answer.kind === 'rejected') return refused('funding');
    return answer.kind === 'done' ? settled(answer.found.id) : { kind: 'unknown', detail: 'no answer' };
  };

  test('does not leave once it wakes: its rows were paid under another code since', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    let wakes: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wakes = resolve));
    let falls: (payoutId: string) => void = () => undefined;
    const fell = new Promise<string>((resolve) => (falls = resolve));
    const submit = jest.spyOn(world.rail, 'submit').mockImplementation(sent);
    submit.mockImplementationOnce(async (order, call) => {
      falls(order.payoutId);
      await asleep;
      return sent(order, call);
    });
    const slept = scene.withdraw();
    const first = await fell;
    await world.age(first, SLEPT_SECONDS);

    // Another machine meanwhile: the rail never saw it, is sent it once more, and has no funds.
    await world.drive(first);
    expect(await world.payout(first)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    hasFunds = true;
    await scene.push(1_000);
    const [second] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(second.id)).toMatchObject({ status: 'paid', amountCents: 7_000 });

    // The first machine wakes: its system clock is right, and its ticks stood still.
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + SLEPT_SECONDS * 1_000));
    wakes();
    await slept;
    expect(paid).toEqual([7_000]);
  });
});
