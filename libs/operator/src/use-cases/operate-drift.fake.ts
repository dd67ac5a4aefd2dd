/** What an operator says about differences in a world of the specs, as the service takes it. */
import { SettleDisputed } from '#libs/disbursements';
import type { MoneyWorld } from '#libs/payouts/testing';
import { ResolveDrift } from '#libs/reconciliation';
import { AuditStore } from '../db/audit.store';
import { OperateDrift } from './operate-drift';
import { RecordDeeds } from './record-deeds';

export function operateDriftIn(world: MoneyWorld): OperateDrift {
  const deeds = new RecordDeeds(world.db, new AuditStore(world.db));
  return new OperateDrift(world.get(ResolveDrift), world.get(SettleDisputed), deeds);
}
