/** What specs above the comparison need: payouts with all they need, and what the schedule does. */
import { type MoneyWorld, type MoneyWorldOptions, startMoneyWorld } from '#libs/payouts/testing';
import { ReconciliationModule } from '../../src/reconciliation.module';
import { ScanMovements } from '../../src/use-cases/scan-movements';
import { WatchReturns } from '../../src/use-cases/watch-returns';

export const startReconciledWorld = ({ also = [], does }: MoneyWorldOptions = {}): Promise<MoneyWorld> =>
  startMoneyWorld({ also: [ReconciliationModule, ...also], does });

/** What the schedule does: holds what the rails say they moved against what we know. */
export async function compare(world: MoneyWorld): Promise<void> {
  await world.get(ScanMovements).run();
}

/** And: asks about what was paid over this rail, and is due. */
export async function watchReturns(world: MoneyWorld, rail: string): Promise<void> {
  await world.get(WatchReturns).ofRail(rail);
}
export { listedScene } from './listed-scene';
export { anHourPasses } from './an-hour-passes';
