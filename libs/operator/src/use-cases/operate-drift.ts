/** An operator's part in a disagreement with a rail about money: look into it, and close it. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { SettleDisputed } from '#libs/disbursements';
import type { Drift, RailWord } from '#libs/drift';
import type { DisputedRows } from '#libs/owed';
import { type Read, ResolveDrift } from '#libs/reconciliation';
import { deedOf, RecordDeeds } from './record-deeds';

const RESOLVE = deedOf('drift', 'resolve', 'resolved');

export interface DriftResolution {
  note: string | null;
  /** How its payout's owed rows are settled, and with them the payout. */
  rows: DisputedRows;
  /** An admin found out elsewhere: their rows leave again although the rail cannot be asked. */
  neverSeen: boolean;
  /** What its rail had said last when they read it; null: nothing. Left out: they do not say. */
  said?: RailWord | null;
}

@Injectable()
export class OperateDrift {
  constructor(
    private readonly resolving: ResolveDrift,
    private readonly rows: SettleDisputed,
    private readonly deeds: RecordDeeds,
  ) {}

  async resolve(actor: string, id: string, { note, rows, neverSeen, said }: DriftResolution): Promise<Drift> {
    const read: Read = neverSeen ? await this.resolving.read(id) : {};
    const ask = async () => void Object.assign(read, await this.resolving.ask(id, rows));
    const work = async () => {
      const known = said === undefined ? read : { ...read, said };
      const resolved = await this.resolving.run(id, { by: actor, note, ...known });
      const { payout } = resolved;
      if (rows === 'paid' && !payout)
        throw new Refusal('illegal_transition', 'No payout asked for this money: there is nothing to call paid.');
      const settled = payout ? await this.rows.run(payout, resolved.after, rows, neverSeen) : 0;
      await this.resolving.decidedAbout(id);
      return { ...resolved, settled };
    };
    const outcome = (done: Awaited<ReturnType<typeof work>>) => ({
      ...{ kind: done.after.kind, rail: done.after.rail, payoutId: done.after.payoutId },
      ...{ note, rows, rowsSettled: done.settled },
      ...(neverSeen ? { neverSeen } : {}),
    });
    const { after } = await this.deeds.atOnce(
      RESOLVE,
      { actor, target: id },
      work,
      outcome,
      neverSeen ? undefined : ask,
    );
    return after;
  }
}
