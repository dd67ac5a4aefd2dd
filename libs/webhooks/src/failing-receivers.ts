/**
 * Clients whose receiver failed in this process the last time. No more than a hint, which saves asking PostgreSQL about
 * every receiver that is well.
 */
import { Injectable } from '@nestjs/common';

@Injectable()
export class FailingReceivers {
  private readonly clientIds = new Set<string>();

  failed(clientId: string): void {
    this.clientIds.add(clientId);
  }

  acknowledged(clientId: string): void {
    this.clientIds.delete(clientId);
  }

  has(clientId: string): boolean {
    return this.clientIds.has(clientId);
  }
}
