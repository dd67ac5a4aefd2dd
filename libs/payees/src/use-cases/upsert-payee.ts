/** Creates a payee, or changes the one with this externalId. What is left out stays, null clears. */
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import type { Client } from '#libs/clients';
import { goneMeanwhile } from '#libs/db';
import { PayeeStore } from '../db/payee.store';
import type { Payee } from '../payee';
import { ChangePayee } from './change-payee';
import { CoolDown } from './cool-down';
import { PayeeTurns } from './payee-turns';

export interface PayeeInput {
  externalId: string;
  email?: string | null;
  name?: string | null;
  country?: string | null;
  locale?: string | null;
  metadata?: Record<string, string> | null;
}

@Injectable()
export class UpsertPayee {
  constructor(
    private readonly turns: PayeeTurns,
    private readonly payees: PayeeStore,
    private readonly change: ChangePayee,
    private readonly coolDown: CoolDown,
  ) {}

  run(client: Client, input: PayeeInput): Promise<Payee> {
    const upsert = async (): Promise<Payee> => {
      const before = await this.lockOrCreate(client.id, input.externalId);
      const wanted = await this.coolDown.changed(client, before, merged(before, input));
      return this.change.apply(client, before, wanted);
    };
    const look = (): Promise<Payee | null> => this.asWanted(client.id, input);
    return this.turns.foundAgain(`${client.id} ${input.externalId}`, upsert, look);
  }

  /** null if the payee is not there, or is not what this makes it. Its lock waits for whoever is changing it. */
  private async asWanted(clientId: string, input: PayeeInput): Promise<Payee | null> {
    const payee = await this.payees.lockByExternalId(clientId, input.externalId);
    if (!payee) return null;
    const wanted = merged(payee, input);
    return isDeepStrictEqual(payee, wanted) ? payee : null;
  }

  /** Part of the caller's transaction: a legal name for each payee that has none. */
  async nameUnnamed(client: Client, names: Map<string, string>): Promise<void> {
    for (const before of await this.payees.lockAll([...names.keys()])) {
      if (before.name !== null) continue;
      const named = { ...before, name: names.get(before.id) as string };
      await this.change.apply(client, before, await this.coolDown.changed(client, before, named));
    }
  }

  private async lockOrCreate(clientId: string, externalId: string): Promise<Payee> {
    const existing =
      (await this.payees.lockByExternalId(clientId, externalId)) ??
      (await this.payees.insert(newId(), clientId, externalId)) ??
      (await this.payees.lockByExternalId(clientId, externalId));
    if (!existing) throw goneMeanwhile('A payee that another request just made');
    return existing;
  }
}

function merged(before: Payee, { email, name, country, locale, metadata }: PayeeInput): Payee {
  return {
    ...before,
    email: email === undefined ? before.email : email,
    name: name === undefined ? before.name : name,
    country: country === undefined ? before.country : country,
    locale: locale === undefined ? before.locale : locale,
    metadata: metadata === undefined ? before.metadata : (metadata ?? {}),
  };
}
