/** Whom the rows of a push are for: payees of the client, or whoever has an address, made if there is none. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { PayeeReads, ResolveByEmail, UpsertPayee } from '#libs/payees';
import type { PushRow, TargetedPush } from '../push';

@Injectable()
export class PushTargets {
  constructor(
    private readonly payees: PayeeReads,
    private readonly byEmail: ResolveByEmail,
    private readonly upsert: UpsertPayee,
  ) {}

  /** Rows for nobody of this client are left out. */
  async of(client: Client, rows: PushRow[]): Promise<TargetedPush[]> {
    const named = await this.payees.existing(
      client.id,
      rows.flatMap(({ payeeId }) => payeeId ?? []),
    );
    const emails = rows.flatMap(({ email }) => email ?? []);
    const known = await this.byEmail.known(client, emails);
    const made = await this.byEmail.create(
      client,
      emails.filter((email) => !known.has(email)),
    );
    return rows.flatMap((row) => {
      const payeeId = row.payeeId ?? known.get(row.email ?? '') ?? made.get(row.email ?? '');
      if (!payeeId || (row.payeeId && !named.has(row.payeeId))) return [];
      return [{ ...row, payeeId }];
    });
  }

  /** The first name a row gives becomes the legal name of a payee that has none. */
  async name(client: Client, rows: TargetedPush[]): Promise<void> {
    const names = new Map<string, string>();
    for (const { payeeId, name } of rows) if (name && !names.has(payeeId)) names.set(payeeId, name);
    if (names.size > 0) await this.upsert.nameUnnamed(client, names);
  }
}
