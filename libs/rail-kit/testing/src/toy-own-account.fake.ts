/** The toy's own account at a provider in the same process, honest unless told otherwise, and a toy rail that has every power over it. */
import type { Rail, RailContext, RailFunds, RailMovement, VerificationAnswer } from '#libs/rail-kit';
import { type HeldFunds, ON_A_PAGE, type RailSubject } from './subject';
import { type ToyProvider, toySubject } from './toy-rail.fake';

const KEYS = { ours: 'toy-secret-4711', another: 'toy-live-secret-0815' };

/** One account: what lies in it, and how much of a list it shows at once. */
export class ToyTreasury {
  readonly held = new Map<string, HeldFunds>();
  onAPage = 100;
  /** Nobody answers there any more. */
  isGone = false;

  constructor(
    readonly account: string,
    readonly mode: 'live' | 'sandbox',
  ) {}
}

/** What an honest toy tells of its own account. */
export interface HonestTreasurer {
  movements(since: Date): AsyncIterable<RailMovement[]>;
  funding(): Promise<RailFunds[]>;
  verify(): Promise<VerificationAnswer>;
}

export interface TreasuryParts {
  /** null: the provider knows no such key. */
  treasury: ToyTreasury | null;
  /** One page of what moved, from this place on. */
  page(from: number): RailMovement[];
}

/** The same, done otherwise. */
export type TreasuryMistake = (honest: HonestTreasurer, parts: TreasuryParts) => Record<string, unknown>;

export function toyWithOwnAccount(mistake: TreasuryMistake = () => ({})): RailSubject {
  const treasuries = new Map<string, ToyTreasury>();
  const toy = toySubject((_, context, provider) => {
    const treasury = treasuries.get(context.settings.TOY_KEY ?? '') ?? null;
    const parts = { treasury, page: pagesOf(context, provider, treasury) };
    const honest = honestTreasurer(parts);
    return { ...honest, ...mistake(honest, parts) } as Partial<Rail>;
  });
  const world: RailSubject['world'] = async (parts) => {
    const { whose = 'ours' } = parts;
    const treasury = new ToyTreasury(`account of ${whose}`, whose === 'ours' ? 'sandbox' : 'live');
    treasuries.set(KEYS[whose], treasury);
    const its = await toy.world(parts);
    return {
      ...its,
      settings: { TOY_KEY: KEYS[whose] },
      arrange: (outcome, order) => {
        if (outcome === 'pages') treasury.onAPage = ON_A_PAGE;
        return its.arrange(outcome, order);
      },
      holds: (funds) => void treasury.held.set(funds.currency, funds),
      close: () => void (treasury.isGone = true),
    };
  };
  return { ...toy, world };
}

function pagesOf(
  { clock }: RailContext,
  provider: ToyProvider,
  treasury: ToyTreasury | null,
): (from: number) => RailMovement[] {
  const movedAt = clock.now();
  return (from) => {
    const all = [...provider.payments].flatMap(([railKey, payments]) =>
      payments.map(({ ref: providerRef, amountCents, currency }) => ({
        ...{ railKey, providerRef, amountCents, currency, movedAt },
      })),
    );
    return all.slice(from, from + (treasury?.onAPage ?? 0));
  };
}

function honestTreasurer({ treasury, page }: TreasuryParts): HonestTreasurer {
  return {
    async *movements(since) {
      for (let from = 0; ;) {
        const movements = page(from);
        if (movements.length === 0) return;
        yield movements.filter(({ movedAt }) => movedAt >= since);
        from += movements.length;
      }
    },
    funding: async () =>
      [...(treasury?.held.values() ?? [])].map(({ currency, availableCents }) => ({ currency, availableCents })),
    verify: async () => {
      if (treasury?.isGone) throw new Error('no answer');
      if (treasury === null) return { kind: 'rejected', detail: 'the provider does not know this key' };
      return { kind: 'works', account: treasury.account, mode: treasury.mode };
    },
  };
}
