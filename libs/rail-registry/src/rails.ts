/** The rails of this deployment by name. A rail without its credentials is here and not configured. */
import { OUR_PAGE, type Custody } from '#libs/domain';
import {
  leadsPayees,
  listsMovements,
  servesCountry,
  TEST_RAIL,
  type Rail,
  type RailDefinition,
  type RailTraits,
} from '#libs/rail-kit';
import type { AwaitedList } from './awaited';

export interface RegisteredRail {
  definition: Pick<RailDefinition, 'name' | 'settings'>;
  /** As this deployment's settings have them. */
  traits: RailTraits;
  /** null: a required setting is missing. */
  rail: Rail | null;
  missingSettings: string[];
}

/** What is known of what rails list. */
export interface ListsRead {
  /** How many seconds ago what the rail of a payout lists was compared with; null: it never was. */
  comparedAgo: number | null;
  /** Rails that were not compared with since the database was restored: by what they list, or by an operator. */
  awaited: AwaitedList[];
}

/** A comparison that is so late is told of in the log as well. */
const COMPARED_BEFORE_ROWS_SECONDS = 600;

/** A payout that is about to be sent. The code of owed rows is made of those that leave together. */
interface Sendable {
  provider: string | null;
  /** Left out: now. */
  createdAt?: Date;
  submittedAt?: Date | null;
  consolidates: boolean;
}

export class Rails {
  private readonly byName: ReadonlyMap<string, RegisteredRail>;

  /** `deployment`: how money that nobody here knows of is told from that of others who share the account. */
  constructor(
    registered: RegisteredRail[],
    readonly deployment: string,
  ) {
    this.byName = new Map(registered.map((entry) => [entry.definition.name, entry]));
    if (this.byName.size !== registered.length) throw new Error('Two rails have the same name.');
  }

  all(): RegisteredRail[] {
    return [...this.byName.values()];
  }

  find(name: string | null): RegisteredRail | null {
    return name === null ? null : (this.byName.get(name) ?? null);
  }

  traits(name: string | null): RailTraits | null {
    return this.find(name)?.traits ?? null;
  }

  /**
   * Its list was compared so long ago that it may have moved money that a restored database knows nothing of, and would not recognise it: its
   * code is forgotten, or its rows left under another one. Rows that were never sent, as far as that database knows, or that were refused,
   * may have gone by any rail before, also by one that lists nothing: an operator has to say of that one that they compared. What a caller asks for
   * is known to its rail by its code, but not if that is bound to another account by now.
   */
  mayHaveMoved(
    { provider, consolidates, createdAt, submittedAt }: Sendable,
    { comparedAgo, awaited }: ListsRead,
  ): boolean {
    const mayBeOf = (rail: string): boolean => rail === provider || (rail !== TEST_RAIL && provider !== TEST_RAIL);
    const isAskedAgain = (until: string | null): boolean =>
      until !== null && !submittedAt && (!createdAt || createdAt.getTime() < Date.parse(until));
    const mayBeIn = ({ rail, askedAgainUntil }: AwaitedList): boolean =>
      consolidates ? mayBeOf(rail) : rail === provider && isAskedAgain(askedAgainUntil);
    if (awaited.some((list) => mayBeIn(list) && this.isConfigured(list.rail))) return true;
    const retention = this.traits(provider)?.keyRetentionSeconds ?? null;
    if (!this.isListed(provider) || retention === null || comparedAgo === null) return false;
    return comparedAgo > (consolidates ? Math.min(retention, COMPARED_BEFORE_ROWS_SECONDS) : retention);
  }

  /** After how long only a person can find out what became of a send: it honours no code any more, and lists nothing. null: never. */
  forgetsAfterSeconds(name: string | null): number | null {
    return this.isListed(name) ? null : (this.traits(name)?.keyRetentionSeconds ?? null);
  }

  private isConfigured(name: string | null): boolean {
    return this.find(name)?.rail != null;
  }

  /** It is configured, and lists what it moved. */
  private isListed(name: string | null): boolean {
    const rail = this.find(name)?.rail;
    return rail != null && listsMovements(rail);
  }

  /** Who holds the money until it arrives; on a rail for tests an order may choose. */
  custodyOf(name: string | null, reason: string | null): Custody | null {
    const traits = this.traits(name);
    return traits?.custodyOf?.(reason) ?? traits?.custody ?? null;
  }

  /** The link of a payout that is about to go to this rail: none yet, or to a page of ours. */
  linkAtFirst(name: string | null, custody: Custody | null): string | null {
    const isOurs = this.traits(name)?.claimPage === 'core' && custody !== null && custody !== 'custodial';
    return isOurs ? OUR_PAGE.soon : null;
  }

  /** Its payees take the money on a page of the provider's, to which a wallet of ours leads them. */
  leadsPayees(name: string | null): boolean {
    const rail = this.find(name)?.rail;
    return rail != null && leadsPayees(rail);
  }

  /** A rail that is not carried here is taken to serve the country: the gate then says that it is not implemented. */
  serves(name: string, country: string): boolean {
    const traits = this.traits(name);
    return traits === null || servesCountry(traits, country);
  }
}
