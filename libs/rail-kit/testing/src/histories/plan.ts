/** The plan of a history: small numbers and words, so that a failure can be shrunk to the few steps it needs. */
import fc from 'fast-check';

/** How the provider meets a call that moves money. */
export const MEETINGS = [
  'done',
  /** It does the work, and the answer never arrives. */
  'answer_lost',
  /** The connection is cut, and nothing is done. */
  'not_arrived',
  /** A 500; nothing is done. */
  'error',
  /** The work is done, and 500 is answered all the same. */
  'error_after',
  /** 429. */
  'put_off',
  /** The rail's own account is short while this call is met; later it is not. */
  'short',
  /** It refuses it unseen, in words of `refusals`: nothing is done, and no key is used up. */
  'turned_away',
] as const;
export type Meeting = (typeof MEETINGS)[number];

/** How it meets questions: `lagging` leaves out of lists what was made a short while ago; `down` answers none. */
export type Reads = 'fresh' | 'lagging' | 'down';
/** As its lists are in this history. */
export type ReadsNow = Reads | 'usual';

/** Up to where a process goes on before it stands still: to its end, or so many stops after it woke or came to a call that moves money. */
export type UpTo = { from: 'end' } | { from: 'start' | 'money'; stops: number };

export type Step =
  /** One that stands still goes on; one that does nothing takes up something. `act` chooses what, of all that it can do then. */
  | { kind: 'runs'; process: number; act: number; upTo: UpTo; money: Meeting; reads: ReadsNow }
  | { kind: 'waits'; seconds: number }
  /** Something becomes of the payment at the provider, of all that can by then. */
  | { kind: 'happens'; event: number };

export interface Plan {
  /** What kind of payout it is, of those that the rail's spec names. */
  payout: number;
  lists: Reads;
  steps: Step[];
}

export const PROCESSES = 3;

const weighted = <Word extends string>(weights: Readonly<Partial<Record<Word, number>>>): fc.Arbitrary<Word> =>
  fc.oneof(
    ...(Object.entries(weights) as [Word, number][]).map(([word, weight]) => ({
      arbitrary: fc.constant(word),
      weight,
    })),
  );

const upTo: fc.Arbitrary<UpTo> = fc.oneof(
  { arbitrary: fc.constant<UpTo>({ from: 'end' }), weight: 5 },
  { arbitrary: fc.record({ from: fc.constant('money' as const), stops: fc.nat(4) }), weight: 5 },
  { arbitrary: fc.record({ from: fc.constant('start' as const), stops: fc.oneof(fc.nat(4), fc.nat(15)) }), weight: 2 },
);

const process = fc.nat(PROCESSES - 1);
const act = fc.nat(11);
const money = weighted<Meeting>({
  ...{ done: 6, answer_lost: 6, short: 8, turned_away: 4 },
  ...{ not_arrived: 1, error: 1, error_after: 2, put_off: 2 },
});
const reads = weighted<ReadsNow>({ usual: 8, fresh: 2, lagging: 2, down: 1 });

const runs: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('runs' as const), process, act, upTo, money, reads });

/** The job, as a rule: it stands first among what can be taken up. */
const move = (meetings: Partial<Record<Meeting, number>>) =>
  fc.record({ act: fc.nat(1), money: weighted<Meeting>(meetings), reads });

/** What goes wrong most often: one stands still around a call that moves money, another does the same meanwhile, and it wakes. */
const oneSleeps: fc.Arbitrary<Step[]> = fc
  .record({
    process,
    stops: fc.integer({ min: 1, max: 4 }),
    moves: fc.tuple(
      move({ short: 4, answer_lost: 2, turned_away: 2, done: 1 }),
      move({ answer_lost: 3, short: 1, error_after: 1, done: 1 }),
      move({ done: 1 }),
      move({ done: 3, answer_lost: 1, short: 1 }),
    ),
  })
  .map(({ process: sleeper, stops, moves: [first, meanwhile, awake, after] }) => {
    const toItsEnd = { kind: 'runs', upTo: { from: 'end' } } as const;
    return [
      { ...first, kind: 'runs', process: sleeper, upTo: { from: 'money', stops } },
      { ...meanwhile, ...toItsEnd, process: sleeper + 1 },
      { ...awake, ...toItsEnd, process: sleeper },
      { ...after, ...toItsEnd, process: sleeper + 1 },
    ];
  });

/** After the four of the job; a payee who may begin stands before them. */
const asReader = fc.constantFrom(4, 5);

/** One asks what became of a call that is under way, and stands still before it acts on what it read. */
const oneAsks: fc.Arbitrary<Step[]> = fc
  .record({
    process,
    sends: fc.tuple(fc.integer({ min: 1, max: 3 }), move({ short: 3, turned_away: 3, answer_lost: 1, done: 1 })),
    asks: fc.tuple(fc.integer({ min: 1, max: 6 }), asReader, move({ done: 3, answer_lost: 1 })),
  })
  .map(({ process: sender, sends: [whileSent, sent], asks: [whileAsked, act, asked] }) => {
    const toItsEnd = { from: 'end' } as const;
    return [
      { ...sent, kind: 'runs', process: sender, upTo: { from: 'money', stops: whileSent } },
      { ...asked, act, kind: 'runs', process: sender + 1, upTo: { from: 'start', stops: whileAsked } },
      { ...sent, kind: 'runs', process: sender, upTo: toItsEnd },
      { ...asked, kind: 'runs', process: sender + 1, upTo: toItsEnd },
    ];
  });

const waits: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('waits' as const),
  seconds: fc.constantFrom(1, 5, 8, 25, 50, 120, 620),
});

const happens: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('happens' as const), event: fc.nat(5) });

export const plans: fc.Arbitrary<Plan> = fc.record({
  payout: fc.nat(11),
  lists: weighted({ fresh: 1, lagging: 2 }),
  steps: fc
    .array(
      fc.oneof(
        { arbitrary: runs.map((step) => [step]), weight: 9 },
        { arbitrary: waits.map((step) => [step]), weight: 2 },
        { arbitrary: happens.map((step) => [step]), weight: 2 },
        { arbitrary: oneSleeps, weight: 5 },
        { arbitrary: oneAsks, weight: 3 },
      ),
      { minLength: 3, maxLength: 14, size: 'max' },
    )
    .map((steps) => steps.flat()),
});
