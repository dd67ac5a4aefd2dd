import type { ArrivalFact, LetsPayeesBegin, MovesInLegs, NotNow, Rail } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { loneRail } from '../testing/lone-rail';
import { DestinationCaller } from './destination-caller';

describe('asking a rail what arrives at the address of a payee', () => {
  beforeAll(() => setLogLevel('silent'));

  const callerOf = (rail: Partial<Rail & MovesInLegs & LetsPayeesBegin>): DestinationCaller =>
    new DestinationCaller(loneRail(rail).calls);
  const unused = async (): Promise<never> => {
    throw new Error('This spec asks what arrives, and nothing else.');
  };
  const saying = (arrivesAs: () => Promise<ArrivalFact | NotNow>): DestinationCaller =>
    callerOf({ advance: unused, checkDestination: unused, arrivesAs });

  test('what it names is handed on, and nothing beside it', async () => {
    const named = { kind: 'arrives', coin: 'USDC', network: 'Polygon', secret: 'x' } as const;
    expect(await saying(async () => named).arrivesAs('toy')).toEqual({ coin: 'USDC', network: 'Polygon' });
  });

  test('it is asked for once in a while, however many pages show it, and again soon while nobody knows', async () => {
    const answers: ArrivalFact[] = [
      { kind: 'unknown', detail: 'timed out' },
      { kind: 'arrives', coin: 'USDC', network: 'Polygon' },
    ];
    const asked = jest.fn(async () => answers.shift() ?? unused());
    const caller = saying(asked);
    const views = (): Promise<unknown[]> => Promise.all([1, 2, 3, 4, 5].map(() => caller.arrivesAs('toy')));
    const ticks = jest.spyOn(performance, 'now');
    const started = performance.now();
    for (const [after, told, times] of [
      [0, null, 1],
      [9_000, null, 1],
      [11_000, { coin: 'USDC', network: 'Polygon' }, 2],
      [60_000, { coin: 'USDC', network: 'Polygon' }, 2],
    ] as const) {
      ticks.mockReturnValue(started + after);
      expect(await views()).toEqual(Array(5).fill(told));
      expect(asked).toHaveBeenCalledTimes(times);
    }
    ticks.mockRestore();
  });

  test.each(['', ' Polygon', 'Poly\ngon', 'x'.repeat(41)])(
    'what no payee can read is not shown: %p',
    async (network) => {
      expect(await saying(async () => ({ kind: 'arrives', coin: 'USDC', network })).arrivesAs('toy')).toBeNull();
    },
  );

  test('a rail that cannot say, throws, or has no such power, and one that is not there, say nothing', async () => {
    const answers: (ArrivalFact | NotNow)[] = [
      { kind: 'unknown', detail: 'timed out' },
      { kind: 'not_now', afterSeconds: 60, detail: 'too many calls' },
    ];
    for (const answer of answers) expect(await saying(async () => answer).arrivesAs('toy')).toBeNull();
    expect(await saying(unused).arrivesAs('toy')).toBeNull();
    expect(await callerOf({}).arrivesAs('toy')).toBeNull();
    expect(await callerOf({}).arrivesAs('nobody')).toBeNull();
  });
});
