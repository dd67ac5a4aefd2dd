/**
 * After a change of who a payee is, nothing that could redirect their money is possible for a while: a leaked API key must
 * not be enough. It is dated and counted by the database's clock: one machine's that is ahead ends it for nobody.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { Rails } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import { PayeeReads } from '../db/payee.reads';
import { DEFAULT_SECONDS } from '../db/redirected';
import type { Payee } from '../payee';

@Injectable()
export class CoolDown {
  constructor(
    private readonly rails: Rails,
    private readonly clock: DatabaseClock,
    private readonly clients: ClientRegistry,
    private readonly methods: MethodStore,
    private readonly payees: PayeeReads,
  ) {}

  /**
   * `before`, locked by the caller's transaction, with its cool-down: a change of identity starts one if the payee could already be paid, and
   * remembers when it was. Its length is the client's stored setting, because the caller may have read the client before it waited for the payee.
   */
  async changed(known: Client, before: Payee, wanted: Payee): Promise<Payee> {
    if (!isIdentityChange(before, wanted)) return wanted;
    const isElsewhere = isAnotherAddress(before, wanted);
    const [stored, account] = await Promise.all([this.clients.stored(known.id), this.methods.activeOf(before.id)]);
    const now = this.clock.now();
    const dated = isElsewhere ? { ...wanted, emailChangedAt: now } : wanted;
    const coolingUntil = new Date(now.getTime() + secondsOf(stored ?? known) * 1000);
    if (account !== null) return { ...dated, coolingUntil, identityChangedAt: now };
    return isElsewhere && (await this.wasPaidByAddress(before)) ? { ...dated, coolingUntil } : dated;
  }

  /**
   * Whatever rail they are on now, and whichever they move to next: a country that is changed first takes the payee off the rail, but not what
   * waits for them there off their mailbox.
   */
  private async wasPaidByAddress(before: Payee): Promise<boolean> {
    return this.isPaidByAddress(before) || this.payees.hasMoneyByAddress(before.id);
  }

  /** null if nothing keeps the payee from changing anything. */
  until(client: Client, payee: Payee): Date | null {
    const ends = [payee.coolingUntil, this.redirectedUntil(client, payee)].map((end) => end?.getTime() ?? 0);
    const until = new Date(Math.max(...ends));
    return until > this.clock.earliest() ? until : null;
  }

  refuseWhileCooling(client: Client, payee: Payee): void {
    const until = this.until(client, payee);
    if (!until) return;
    throw new Refusal(
      'payee_cooling_down',
      `The payee's details changed a short while ago. Try again after ${until.toISOString()}.`,
    );
  }

  /** The payee is paid by an e-mail address, and that is another one since a short while. */
  isRedirected(client: Client, payee: Payee): boolean {
    const until = this.redirectedUntil(client, payee);
    return until !== null && until > this.clock.earliest();
  }

  /**
   * null if no address decides who gets the money. Kept with the address and not with the rail: a payee who moved to a
   * custody-free rail after the change cools down too.
   */
  redirectedUntil(client: Client, payee: Payee): Date | null {
    if (payee.emailChangedAt === null || !this.isPaidByAddress(payee)) return null;
    return new Date(payee.emailChangedAt.getTime() + secondsOf(client) * 1000);
  }

  railsByAddress(): string[] {
    return this.rails
      .all()
      .flatMap(({ definition: { name }, traits }) => (traits.custody === 'custodial' ? [] : [name]));
  }

  private isPaidByAddress({ provider }: Payee): boolean {
    return (this.rails.traits(provider)?.custody ?? 'custodial') !== 'custodial';
  }
}

function isIdentityChange(before: Payee, after: Payee): boolean {
  return before.email !== after.email || before.name !== after.name || before.country !== after.country;
}

/** One address took the place of another, also by way of none. */
const isAnotherAddress = (before: Payee, wanted: Payee): boolean =>
  before.email !== wanted.email && (before.email !== null || before.emailChangedAt !== null);

/** Whether a change keeps anything from going on, be it for a moment. */
export const coolsDown = (client: Client): boolean => secondsOf(client) > 0;

const secondsOf = ({ coolDownSeconds, testMode }: Client): number =>
  coolDownSeconds ?? (testMode ? 0 : DEFAULT_SECONDS);
