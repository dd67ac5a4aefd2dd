// What a backup says of itself, and what must be the same where it is restored: else money could move twice, or no secret
// could be read.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

export async function ask(url, sql) {
  const { default: pg } = await import('pg'); // only now: it may just have been installed
  const client = new pg.Client({ connectionString: withWord(url), application_name: 'payout-gateway backup' });
  client.on('error', () => undefined); // a server that goes away also rejects the query
  try {
    await client.connect();
    await refuseKeptOptions(client, url);
    return (await client.query(sql)).rows;
  } catch (error) {
    throw new Error(`The database does not answer: ${error.message || error.code}.`);
  } finally {
    await client.end();
  }
}

/** PostgreSQL knows nothing of it: what it holds came with the options. */
const WORD = 'payout_gateway.told';

function withWord(url) {
  const options = optionsOf(url);
  if (options === null) return url;
  const told = new URL(url);
  told.searchParams.set('options', `${options} -c ${WORD}=yes`);
  return told.href;
}

/** What stands between may keep them: the schema that is meant if none is named may be another deployment's. */
async function refuseKeptOptions(client, url) {
  if (optionsOf(url) === null) return;
  const [{ isTold }] = (await client.query(`SELECT current_setting('${WORD}', true) = 'yes' AS "isTold"`)).rows;
  if (!isTold) throw new Error('what stands between keeps the options of DATABASE_URL from it');
}

const optionsOf = (url) => (URL.canParse(url) ? new URL(url).searchParams.get('options') : null);

export async function isOurs(url) {
  const [{ ours }] = await ask(url, `SELECT to_regclass('payouts') IS NOT NULL AS ours`);
  return ours;
}

/** `deployment`: where the service that runs there did not write its own down yet. */
export async function factsOf(url, { kind, deployment }) {
  if (!(await isOurs(url))) throw new Error('There is nothing to back up: the service has never run on this database.');
  const [facts] = await ask(
    url,
    `SELECT now() AS "madeAt", current_setting('server_version') AS postgres,
       (SELECT max(substring(name FROM '[0-9]{13}$'))::float8 FROM migrations) AS "newestMigration",
       (SELECT count(*)::int FROM clients) AS clients, (SELECT max(created_at) FROM payouts) AS "newestPayout",
       ARRAY(SELECT DISTINCT split_part(sealed, '.', 2) FROM signing_secrets ORDER BY 1) AS "masterKeys"`,
  );
  const kept = await deploymentOf(url);
  return { kind, gateway: VERSION, deployment: kept ?? deployment, keepsDeployment: kept !== null, ...facts };
}

/** As the service writes it down at its start. null: it is of a version that did not. */
async function deploymentOf(url) {
  const [{ isThere }] = await ask(url, `SELECT to_regclass('deployment') IS NOT NULL AS "isThere"`);
  const [kept] = isThere ? await ask(url, 'SELECT name FROM deployment') : [];
  return kept?.name ?? null;
}

/** Throws before anything is changed. */
export function refuseWrongPlace({ kind, deployment, keepsDeployment = false, masterKeys }, here) {
  if (kind !== here.kind) throw new Error(OTHER_KIND[kind] ?? `This is a backup of an unknown kind: ${kind}.`);
  // What the database keeps, the service compares when it starts. What a shell said is all that there is.
  const isOpen = keepsDeployment && here.deployment === '';
  if (deployment !== here.deployment && !isOpen)
    throw new Error(
      `The backup is of DEPLOYMENT='${deployment}', and here it is '${here.deployment}'. The codes that providers know payouts by ` +
        'are made of it, so what was paid since would be paid again. Set it as it was.',
    );
  const known = new Set(here.masterKeys.map(nameOfKey));
  const missing = masterKeys.filter((name) => !known.has(name));
  if (missing.length > 0)
    throw new Error(
      `Secrets in the backup are sealed with master key ${missing.join(', ')}, and ${here.keysAt} does not hold it. ` +
        'It is in no backup: put it there first.',
    );
}

/** Since this migration owed rows have the codes that they have now: whoever changes them (libs/payout-rules/src/idempotency.ts) changes it. */
const CODES_SINCE = 1763600000082;

export const PAID_BY_THIS_VERSION = '--paid-by-this-version';

/** What an earlier version paid since over a rail that lists nothing is known there by another code. Only a person knows which one was running. */
export function refuseOtherCodes({ newestMigration = 0 }, words) {
  if (newestMigration >= CODES_SINCE || words.includes(PAID_BY_THIS_VERSION)) return;
  throw new Error(
    'The backup is of an earlier version, which may make the codes of owed rows in another way: what that version paid since, over a rail that lists ' +
      'nothing, would be paid again. Restore it with the version that was running since. If this one was, or no such rail is in use, say so: add ' +
      `${PAID_BY_THIS_VERSION}`,
  );
}

const OTHER_KIND = {
  embedded: 'The backup is of an embedded database: unset DATABASE_URL, and name its new place by DATA_DIR.',
  own: 'The backup is of a database of your own: set DATABASE_URL to an empty one.',
};

/** As sealed texts name it. */
const nameOfKey = (hex) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex').slice(0, 8);

/** The keys that a service would start with here. */
export function keysHere(dataDir, { MASTER_KEY }) {
  const file = join(dataDir, 'master.key');
  if (MASTER_KEY) return { masterKeys: keysIn(MASTER_KEY), keysAt: 'MASTER_KEY' };
  return { masterKeys: existsSync(file) ? keysIn(readFileSync(file, 'utf8')) : [], keysAt: file };
}

/** Several while they are changed, the newest first: in the file as in the setting. */
const keysIn = (text) => text.trim().split(',');
