/** What specs of payouts in legs do again and again. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { LookupAnswer, SubmitAnswer } from '#libs/rail-kit';
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
  const knows = ({ railKey }: Payout, fact: LookupAnswer) => at().world.rail.knows.set(railKey, fact);
  /** So long ago it was changed last, and its rail asked for its calls. */
  const passes = ({ id }: Payout, seconds: number) =>
    at().world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second', legs = (
         SELECT jsonb_agg(leg || jsonb_build_object('wishedAt', (leg ->> 'wishedAt')::timestamptz - $2::float8 * interval '1 second') ORDER BY place)
         FROM jsonb_array_elements(legs) WITH ORDINALITY AS each (leg, place)) WHERE id = $1`,
      [id, seconds],
    );
  return { passes, says, pay, inLegs, drive, callsOf, keysOf, knows };
}
