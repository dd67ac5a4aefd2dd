/**
 * Under which name this database pays. The codes that rails know payouts by are made of it: under another name, what was sent already
 * would be something new to them.
 */
import { DataSource, type DataSourceOptions } from 'typeorm';
import { railKeyOf } from '#libs/payout-rules';

class OtherDeployment extends Error {}

/** Remembers the first one. As long as there is no payout, and no other process, it may become another. */
export async function keepDeployment(options: DataSourceOptions, given: string): Promise<void> {
  const dataSource = await new DataSource(options).initialize();
  try {
    const kept = await keptIn(dataSource);
    if (kept === given) return;
    if (kept === null) await beTheFirst(dataSource, given);
    else await dataSource.query(UNLESS_IN_USE, [given]);
    const now = await keptIn(dataSource);
    if (now !== given)
      throw new OtherDeployment(
        `This database pays as DEPLOYMENT='${now}', and here it is '${given}'. ${WHY} Start with DEPLOYMENT='${now}'.`,
      );
  } finally {
    await dataSource.destroy();
  }
}

async function keptIn(dataSource: DataSource): Promise<string | null> {
  const [row] = await dataSource.query<{ name: string }[]>('SELECT name FROM deployment');
  return row?.name ?? null;
}

/** A database of an earlier version does not say its name, but its payouts tell whether this is it. */
async function beTheFirst(dataSource: DataSource, given: string): Promise<void> {
  const payouts = await dataSource.query<{ clientId: string; idempotencyKey: string; railKey: string }[]>(NEWEST);
  const isTheirs = payouts.some(
    ({ clientId, idempotencyKey, railKey }) => railKey === railKeyOf(given, clientId, idempotencyKey),
  );
  if (payouts.length > 0 && !isTheirs)
    throw new OtherDeployment(
      `The payouts in this database were not made under DEPLOYMENT='${given}'. ${WHY} Start with the DEPLOYMENT of before.`,
    );
  await dataSource.query('INSERT INTO deployment (name) VALUES ($1) ON CONFLICT DO NOTHING', [given]);
}

const WHY = 'The codes that providers know payouts by are made of it, so money could move twice.';

/** One at a time: the codes of others are not made of the key alone. */
const NEWEST = `
  SELECT client_id AS "clientId", idempotency_key AS "idempotencyKey", rail_key AS "railKey"
  FROM (SELECT * FROM payouts ORDER BY created_at DESC, id DESC LIMIT 1000) AS newest WHERE source = 'payout'`;

const UNLESS_IN_USE = `
  UPDATE deployment SET name = $1 WHERE NOT EXISTS (SELECT FROM payouts) AND NOT EXISTS (
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND application_name ~ '^payout-gateway [0-9]{13}$')`;
