/** Payouts as they are after a while, or very many of one kind, without waiting or making each by itself. */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import type { MoneyWorld } from './world';

/** It was made, sent and held so long before. */
export async function earlier({ db }: MoneyWorld, payoutId: string, by: string): Promise<void> {
  await db.execute(
    `UPDATE payouts SET created_at = created_at - $2::interval, updated_at = updated_at - $2::interval,
       submitted_at = submitted_at - $2::interval WHERE id = $1`,
    [payoutId, by],
  );
}

type Values = Record<string, string>;

/** Names and values of an INSERT: all as they are in that row, but those. */
async function copied({ db }: MoneyWorld, table: string, values: Values): Promise<[string, string]> {
  const known = await db.rows<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  const names = known.map(({ name }) => name);
  return [names.join(', '), names.map((name) => values[name] ?? `${table}.${name}`).join(', ')];
}

/** As many more of it, each a second younger than the one before. */
export async function copiesOf(world: MoneyWorld, { id }: Payout, count: number, values: Values = {}): Promise<void> {
  const [names, copies] = await copied(world, 'payouts', {
    id: 'gen_random_uuid()',
    idempotency_key: `idempotency_key || '-' || gen_random_uuid()`,
    rail_key: `rail_key || '-' || gen_random_uuid()`,
    created_at: `created_at + nth * interval '1 second'`,
    ...values,
  });
  await world.db.execute(
    `INSERT INTO payouts (${names}) SELECT ${copies} FROM payouts, generate_series(1, $2::int) AS nth WHERE id = $1`,
    [id, count],
  );
}

/** As many more of them, each with payouts of their own. */
export async function othersLike(world: MoneyWorld, { id }: Payee, count: number): Promise<void> {
  const [names, copies] = await copied(world, 'payees', {
    id: 'gen_random_uuid()',
    external_id: `payees.external_id || '-' || nth`,
  });
  await world.db.execute(
    `INSERT INTO payees (${names}) SELECT ${copies} FROM payees, generate_series(1, $2::int) AS nth WHERE payees.id = $1`,
    [id, count],
  );
  const [ofPayouts, theirs] = await copied(world, 'payouts', {
    id: 'gen_random_uuid()',
    payee_id: 'other.id',
    idempotency_key: `payouts.idempotency_key || '-' || other.id`,
    rail_key: `payouts.rail_key || '-' || other.id`,
  });
  await world.db.execute(
    `INSERT INTO payouts (${ofPayouts}) SELECT ${theirs} FROM payouts JOIN payees AS first ON first.id = payouts.payee_id
     JOIN payees AS other ON other.external_id LIKE first.external_id || '-%' WHERE first.id = $1`,
    [id],
  );
}

/** As many more clients, each with such a payee and such a payout. */
export async function clientsLike(
  world: MoneyWorld,
  { client, payee, payout }: { client: Client; payee: Payee; payout: Payout },
  count: number,
): Promise<void> {
  const anew = (name: string): string => `md5(${name}::text || nth)::uuid`;
  for (const [table, id, values] of [
    ['clients', client.id, { id: anew('clients.id') }],
    ['payees', payee.id, { id: anew('payees.id'), client_id: anew('payees.client_id') }],
    [
      'payouts',
      payout.id,
      {
        ...{ id: anew('payouts.id'), client_id: anew('payouts.client_id'), payee_id: anew('payouts.payee_id') },
        rail_key: 'payouts.rail_key || nth',
      },
    ],
  ] as [string, string, Values][]) {
    const [names, copies] = await copied(world, table, values);
    await world.db.execute(
      `INSERT INTO ${table} (${names}) SELECT ${copies} FROM ${table}, generate_series(1, $2::int) AS nth WHERE ${table}.id = $1`,
      [id, count],
    );
  }
}
