/** What specs of payouts in legs do again and again. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { SubmitAnswer } from '#libs/rail-kit';
import { thenDo } from './scripted-rail';
import type { MoneyWorld } from './world';

/** `at`: both are there once a test runs. */
export function legsScene(at: () => { world: MoneyWorld; client: Client }) {
  const says = (answers: Record<string, SubmitAnswer>) => at().world.rail.says(answers);
  const pay = async (country = 'DE'): Promise<Payout> => {
    const { world, client } = at();
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    return world.pay(client, payee);
  };
  /** Its first call went well, and the rail asks for the next one. */
  const inLegs = async (): Promise<Payout> => {
    says({ first: thenDo('payout') });
    const { id } = await pay();
    await at().world.drive(id);
    return at().world.payout(id);
  };
  const drive = async ({ id }: Payout, times = 1): Promise<Payout> => {
    for (let n = 0; n < times; n += 1) await at().world.drive(id);
    return at().world.payout(id);
  };
  const callsOf = ({ id }: Payout) => at().world.rail.callsOf(id);
  const keysOf = (name: string): Set<string | undefined> =>
    new Set(at().world.rail.calls.flatMap(({ leg }) => (leg?.name === name ? [leg.key] : [])));
  const knows = ({ railKey }: Payout, fact: SubmitAnswer) => at().world.rail.knows.set(railKey, fact);
  return { says, pay, inLegs, drive, callsOf, keysOf, knows };
}
