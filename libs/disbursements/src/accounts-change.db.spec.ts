/**
 * Random histories of rows whose rail is bound to one account of its provider and another, and back, also while it is called. Each account has
 * books of its own, and may pay what it refused. What all of them paid is never more than what was owed. A failure prints the shortest one.
 */
import fc from 'fast-check';
import { Refusal } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { AskRail, CancelPayout, GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { accepted, boundTo, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact, RailOrder, SubmitFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

type State = 'paid' | 'taken' | 'refused' | 'refused for good';
type Fate = State | 'never came';
const SAYS: Record<State, SubmitFact & LookupFact> = {
  paid: settled() as SubmitFact & LookupFact,
  taken: accepted() as SubmitFact & LookupFact,
  refused: refused() as SubmitFact & LookupFact,
  'refused for good': refused('permanent') as SubmitFact & LookupFact,
};
const isOut = (state?: State): boolean => state === 'paid' || state === 'taken';

const ACCOUNTS = ['one', 'two', 'three'];
const DEEDS = [
  ...(['owe', 'withdraw', 'withdraw', 'withdraw', 'drive', 'drive', 'drive', 'look', 'retry', 'release'] as const),
  ...(['fail', 'never seen', 'cancel', 'bind', 'calls are over', 'last word', 'other mind'] as const),
];
const step = fc.record({
  deed: fc.constantFrom(...DEEDS),
  /** Mostly it is about the newest payout. */
  whose: fc.constantFrom(0, 0, 1, 2),
  account: fc.nat(ACCOUNTS.length - 1),
  /** Another account is bound while the rail is called, before it does what it does or after. */
  boundMeanwhile: fc.constantFrom(null, null, null, 'before', 'after'),
  fate: fc.constantFrom<Fate[]>('paid', 'taken', 'refused', 'refused', 'refused for good', 'never came'),
  isLost: fc.constantFrom(false, false, true),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const histories = fc.array(step, { minLength: 10, maxLength: 35 });
let count = 0;

class History {
  private readonly nth = (count += 1);
  /** By account and code. */
  private readonly books = new Map<string, { state: State; cents: number }>();
  private readonly looked = new Set<string>();
  /** By account and code, what it keeps to. */
  private readonly lastWords = new Set<string>();
  private speaksTo = this.nameOf(0);
  private owed = 0;
  private now: Step | null = null;

  private constructor(
    private readonly world: MoneyWorld,
    private readonly rail: string,
    private readonly scene: OwedScene,
  ) {}

  static async of(world: MoneyWorld, country: string, rail: string): Promise<History> {
    world.rail.reset();
    const history = new History(world, rail, await OwedScene.of(world, await world.client(), country));
    world.rail.submit = (order) => history.submitted(order);
    world.rail.lookup = (order) => history.lookedUp(order);
    await history.bind(0);
    await history.owe();
    return history;
  }

  async take(now: Step): Promise<void> {
    this.now = now;
    const payout = await this.one(now.whose);
    if (now.deed === 'owe') await this.owe();
    else if (now.deed === 'bind') await this.boundForLong(now);
    else if (now.deed === 'withdraw') await this.scene.outcome();
    else if (payout) await this.does(now.deed, payout).catch(onlyRefused);
  }

  private async boundForLong({ account, isLost }: Step): Promise<void> {
    await this.bind(account);
    if (!isLost) await this.minutePasses();
  }

  /** What all accounts have out is what was owed at the most. */
  expectNothingTwice(): void {
    const out = [...this.books.values()].filter(({ state }) => isOut(state));
    expect(out.reduce((sum, { cents }) => sum + cents, 0)).toBeLessThanOrEqual(this.owed);
  }

  private async does(deed: Step['deed'], payout: Payout): Promise<unknown> {
    const { world } = this;
    switch (deed) {
      case 'drive':
        return ['authorized', 'submitted'].includes(payout.status) ? world.drive(payout.id) : null;
      case 'look':
        return world.get(AskRail).lookUp(payout);
      case 'retry':
        return world.get(RemedyPayout).retry(payout, 'client');
      case 'release':
        return world.get(RemedyPayout).release(payout, 'operator');
      case 'cancel':
        return world.get(CancelPayout).run(payout);
      case 'fail':
        return world.get(GiveUpPayout).run(payout, 'found out');
      case 'never seen':
        return this.isFoundOut(payout);
      case 'last word':
        return this.saysLastWord(payout);
      case 'calls are over':
        return world.age(payout.id, 60);
      default:
        return this.mindChanges(payout);
    }
  }

  /** Somebody looked at all accounts, and tells the truth; and none of them pays it later. */
  private async isFoundOut(payout: Payout): Promise<void> {
    const isUnderWay = payout.openAttempts.length > 0 || !['failed', 'held'].includes(payout.status);
    if (isUnderWay || ACCOUNTS.some((_, nth) => isOut(this.entryOf(this.nameOf(nth), payout)?.state))) return;
    this.looked.add(payout.railKey);
    await this.world.get(GiveUpPayout).run(payout, 'looked there', true);
  }

  /** Before the rail may forget the code, an hour after it was sent. */
  private async saysLastWord({ id, railKey }: Payout): Promise<void> {
    await timePasses(this.world, id, 0.9 * 3_600);
    await this.minutePasses();
    await this.world.get(AskRail).lookUp(await this.world.payout(id));
    this.lastWords.add(`${this.speaksTo} ${railKey}`);
  }

  private async minutePasses(): Promise<void> {
    await this.world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
  }

  /** An account pays what it refused, or refuses what it had taken, as long as nobody went by that. */
  private mindChanges(payout: Payout): void {
    const account = this.nameOf(this.now?.account ?? 0);
    const entry = this.entryOf(account, payout);
    if (
      !entry ||
      this.lastWords.has(`${account} ${payout.railKey}`) ||
      payout.supersededBy !== null ||
      this.looked.has(payout.railKey)
    )
      return;
    if (entry.state === 'refused') entry.state = 'paid';
    else if (entry.state === 'taken') entry.state = this.now?.isLost ? 'refused' : 'paid';
  }

  private async owe(): Promise<void> {
    const cents = 1_000 * (1 + (this.owed % 3));
    this.owed += cents;
    await this.scene.push(cents);
  }

  private async bind(nth: number): Promise<void> {
    this.speaksTo = this.nameOf(nth);
    await boundTo(this.world, this.rail, this.speaksTo);
  }

  private nameOf(nth: number): string {
    return `${ACCOUNTS[nth]} of ${this.nth}`;
  }

  private entryOf(account: string, { railKey }: { railKey: string }) {
    return this.books.get(`${account} ${railKey}`);
  }

  /** With the account that was bound when the call began. */
  private async submitted(order: RailOrder): Promise<SubmitFact> {
    const [account, fate, isLost] = [this.speaksTo, this.now?.fate ?? 'paid', this.now?.isLost ?? false];
    await this.boundMeanwhile('before');
    const known = this.entryOf(account, order);
    if (fate !== 'never came' && (!known || known.state === 'refused')) {
      this.books.set(`${account} ${order.railKey}`, { state: fate, cents: order.amountCents });
      this.lastWords.delete(`${account} ${order.railKey}`);
    }
    await this.boundMeanwhile('after');
    const entry = this.entryOf(account, order);
    return isLost || !entry ? { kind: 'unknown', detail: 'no answer' } : SAYS[entry.state];
  }

  private async lookedUp(order: RailOrder): Promise<LookupFact> {
    const account = this.speaksTo;
    await this.boundMeanwhile('before');
    const entry = this.entryOf(account, order);
    await this.boundMeanwhile('after');
    return entry ? SAYS[entry.state] : { kind: 'never_seen' };
  }

  private async boundMeanwhile(when: Step['boundMeanwhile']): Promise<void> {
    if (this.now?.boundMeanwhile !== when) return;
    this.now = { ...this.now, boundMeanwhile: null };
    await this.bind(this.now.account);
  }

  private async one(whose: number): Promise<Payout | null> {
    const ids = await this.world.db.rows<{ id: string }>(NEWEST_FIRST, [this.scene.payee.id]);
    const id = (ids[whose] ?? ids[0])?.id;
    return id === undefined ? null : this.world.payout(id);
  }
}

const NEWEST_FIRST = 'SELECT id FROM payouts WHERE payee_id = $1 ORDER BY id DESC';

function onlyRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

describe('rows of a rail whose account changes', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([
    ['claim_rail', 'DE'],
    ['custodial_a', 'FR'],
  ])(
    'are paid once at most (%s)',
    async (rail, country) => {
      const holds = fc.asyncProperty(histories, async (steps) => {
        const history = await History.of(world, country, rail);
        for (const each of steps) {
          await history.take(each);
          history.expectNothingTwice();
        }
      });
      await fc.assert(holds, { numRuns: Number(process.env.PROPERTY_RUNS ?? 20), endOnFailure: false });
    },
    600_000,
  );
});
