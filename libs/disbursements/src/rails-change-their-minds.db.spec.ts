/**
 * Random histories of money at rest: its rail says otherwise again and again, an operator decides about what is named, by what is so then, and rows
 * leave. Whatever the rail says that nobody decided about is named, and no row leaves beside money that is out. A failure prints the shortest one.
 */
import fc from 'fast-check';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const WORDS = {
  none: refused('permanent') as LookupFact,
  neverSeen: { kind: 'never_seen' } as LookupFact,
  underWay: accepted() as LookupFact,
  out: settled() as LookupFact,
  outOnceMore: settled('two') as LookupFact,
  back: { kind: 'bounced', feeCents: 0 } as LookupFact,
  backLessAFee: { kind: 'bounced', feeCents: 25 } as LookupFact,
};
type Word = keyof typeof WORDS;
/** What a rail may say next. */
const NEXT: Record<Word, Word[]> = {
  none: ['underWay', 'out', 'outOnceMore', 'back'],
  neverSeen: ['out', 'underWay'],
  underWay: ['out', 'none', 'neverSeen'],
  out: ['back', 'backLessAFee', 'none'],
  outOnceMore: ['back', 'none'],
  back: ['out'],
  backLessAFee: ['out'],
};
const isOut = (word: Word): boolean => word !== 'none' && word !== 'neverSeen' && !word.startsWith('back');

const STARTS = ['failed', 'failed for now', 'returned', 'of a caller'] as const;
type Start = (typeof STARTS)[number];
const step = fc.record({ deed: fc.constantFrom('turn', 'turn', 'decide', 'leave'), choice: fc.nat(3) });
const histories = fc.record({
  start: fc.constantFrom(...STARTS),
  steps: fc.array(step, { minLength: 2, maxLength: 7 }),
});

class History {
  private word: Word = 'none';
  private isDecided = true;
  isOver = false;

  private constructor(
    private readonly world: MoneyWorld,
    private readonly scene: OwedScene,
    private readonly start: Start,
    private readonly payout: Payout,
  ) {}

  static async of(world: MoneyWorld, start: Start): Promise<History> {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    if (start === 'of a caller') {
      const payout = await world.pay(scene.client, scene.payee, 6_000);
      await scene.refuse(payout, 'permanent');
      return new History(world, scene, start, await world.payout(payout.id));
    }
    await scene.push(6_000);
    if (start !== 'returned')
      return new History(
        world,
        scene,
        start,
        await scene.refusedWithdrawal(start === 'failed' ? 'permanent' : undefined),
      );
    const [payout] = (await scene.withdraw()) as [Payout];
    const history = new History(world, scene, start, payout);
    await history.isPaid(payout, 'ref');
    await history.turnsTo('back');
    history.isDecided = true;
    return history;
  }

  async take({ deed, choice }: { deed: string; choice: number }): Promise<void> {
    if (deed === 'turn') await this.turnsTo(await this.next(choice));
    else if (deed === 'decide') await this.decide();
    else if (this.start !== 'of a caller') await this.leave();
    await this.holds();
  }

  /** That a rail never saw what counts as paid is no word against it: only that it refused it is. */
  private async next(choice: number): Promise<Word> {
    const next = NEXT[this.word][choice % NEXT[this.word].length] as Word;
    const { status } = await this.world.payout(this.payout.id);
    return next === 'neverSeen' && (await this.countsAsPaid(status)) ? 'none' : next;
  }

  private async turnsTo(word: Word): Promise<void> {
    this.word = word;
    this.isDecided = false;
    await this.scene.tells(this.payout, WORDS[word]);
  }

  /** By what is so; where that is refused, as the refusal says. */
  private async decide(): Promise<void> {
    const [first, other] = isOut(this.word) ? (['paid', 'owed'] as const) : (['owed', 'paid'] as const);
    for (let line = 0; line < 4 && (await this.open()) > 0; line += 1)
      await this.scene.resolve(this.payout, first).catch(() => this.scene.resolve(this.payout, other).catch(() => 0));
    this.isDecided ||= (await this.open()) === 0;
  }

  private async leave(): Promise<void> {
    this.world.rail.knows.set(this.payout.railKey, WORDS[this.word]);
    const outcome = await this.scene.withdraw().catch(() => []);
    const [next] = outcome as Payout[];
    if (!next) return;
    expect({ leavesBeside: isOut(this.word) && !this.isDecided ? this.word : null }).toEqual({ leavesBeside: null });
    this.isOver = next.railKey === this.payout.railKey;
    if (!this.isOver) await this.isPaid(next, 'another');
  }

  private async isPaid({ id }: Payout, reference: string): Promise<void> {
    this.world.rail.answers = () => settled(reference);
    await this.world.drive(id);
    this.world.rail.answers = null;
  }

  private async open(): Promise<number> {
    return (await this.scene.openDrift(this.payout)).length;
  }

  /** What is out counts as paid, and what is not does not; or somebody is told, or decided. */
  private async holds(): Promise<void> {
    const { status } = await this.world.payout(this.payout.id);
    if (status === 'submitted' || (status === 'returned' && this.start !== 'returned')) this.isOver = true;
    if (this.isOver || this.isDecided || (await this.open()) > 0) return;
    expect({ said: this.word, countsAsPaid: await this.countsAsPaid(status) }).toEqual({
      ...{ said: this.word, countsAsPaid: isOut(this.word) },
    });
  }

  private async countsAsPaid(status: Payout['status']): Promise<boolean> {
    if (status === 'paid') return true;
    const landed = await this.world.db.row<{ type: string }>(
      `SELECT type FROM payout_trail WHERE payout_id = $1 AND type IN ('found_landed', 'found_returned') ORDER BY sequence DESC LIMIT 1`,
      [this.payout.id],
    );
    if (this.start === 'of a caller') return landed?.type === 'found_landed';
    const paid = `SELECT FROM disbursements WHERE transaction_id = $1 AND status = 'paid' LIMIT 1`;
    return (await this.world.db.row(paid, [this.payout.id])) !== null;
  }
}

describe('what a rail says of money at rest', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('is named whenever nobody decided about it, and keeps its rows', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ start, steps }) => {
        const history = await History.of(world, start);
        for (const one of steps) if (!history.isOver) await history.take(one);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 60), endOnFailure: false },
    );
  }, 600_000);
});
