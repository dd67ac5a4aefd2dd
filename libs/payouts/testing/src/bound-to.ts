/** A process that has the credentials of an account of its provider, and an admin who binds the rail to that. */
import { RailIdentity } from '#libs/rail-registry';
import type { MoneyWorld } from './world';

export async function boundTo(
  world: MoneyWorld,
  rail: string,
  account: string,
  mode: 'live' | 'sandbox' = 'live',
): Promise<void> {
  const works = { kind: 'works', account, mode } as const;
  world.rail.verify = async () => works;
  const identity = world.get(RailIdentity);
  await identity.judge(rail, works);
  await identity.rebind(rail, works);
  await identity.judge(rail, works);
}
