/** Makes a test client as new, with its line in the audit log: neither is there without the other. */
import { Injectable } from '@nestjs/common';
import { ClearClient, type Cleared } from '#libs/test-clock';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

const RESET = deedOf('client', 'reset', 'reset');

@Injectable()
export class ResetClient {
  constructor(
    private readonly clearing: ClearClient,
    private readonly audit: AuditStore,
    private readonly deeds: RecordDeeds,
  ) {}

  run(actor: string, clientId: string): Promise<Cleared> {
    const line = { actor, clientId };
    return this.deeds.orRefused(RESET, line, () =>
      this.clearing.run(clientId, async (cleared) => {
        await this.audit.add({ ...line, action: RESET.done, after: cleared });
        return cleared;
      }),
    );
  }
}
