import { DatabaseClock, type Db } from '#libs/db';
import type { ArrivalFact, LetsPayeesBegin, MovesInLegs, NotNow, Rail } from '#libs/rail-kit';
import { setLogLevel } from '#libs/telemetry';
import { DestinationCaller } from './destination-caller';
import { RailCaller } from './rail-caller';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import { Rails } from './rails';

describe('asking a rail what arrives at the address of a payee', () => {
  beforeAll(() => setLogLevel('silent'));

  const callerOf = (rail: Partial<Rail & MovesInLegs & LetsPayeesBegin>): DestinationCaller => {
    const db = { assertNoTransaction: () => undefined, execute: async () => 0, row: async () => null } as unknown as Db;
    const definition = { name: 'toy', settings: [] };
    const registered = { definition, traits: {}, rail, missingSettings: [] } as unknown as ConstructorParameters<
      typeof Rails
    >[0][0];
    const rails = new Rails([registered], 'here');
    const lanes = new RailLanes(db);
    const calls = new RailCaller(
      rails,
      new RailPauses(rails, lanes),
      new RailIdentity(db, lanes),
      db,
      new DatabaseClock(),
    );
    return new DestinationCaller(calls);
  };
  const unused = async (): Promise<never> => {
    throw new Error('This spec asks what arrives, and nothing else.');
  };
  const saying = (arrivesAs: () => Promise<ArrivalFact | NotNow>): DestinationCaller =>
    callerOf({ advance: unused, checkDestination: unused, arrivesAs });

  test('what it names is handed on, and nothing beside it', async () => {
    const named = { kind: 'arrives', coin: 'USDC', network: 'Polygon', secret: 'x' } as const;
    expect(await saying(async () => named).arrivesAs('toy')).toEqual({ coin: 'USDC', network: 'Polygon' });
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
