// `npm run restore -- <file>`: puts a backup in the place of the database. The service must be stopped; the database that was
// there is moved aside, and a database of one's own must be empty. `npm run restore -- --done-elsewhere` is for a database of one's own
// that was restored in another way: it does what else a restore has to.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpack } from './backup/archive.mjs';
import { ask, isOurs, refuseWrongPlace } from './backup/facts.mjs';
import { restore } from './backup/own-database.mjs';
import { embedded, fileOf, here } from './backup/place.mjs';
import { runScript, say } from './terminal.mjs';

const DONE_ELSEWHERE = '--done-elsewhere';
const WAITING = 'Owed rows wait until every rail that lists what it moved was compared with, a minute or so.';

await runScript(async () => {
  const words = process.argv.slice(2);
  const place = here();
  if (words.join(' ') === DONE_ELSEWHERE) return finishElsewhere(place);
  const file = fileOf(words, 'restore');
  if (place.kind === 'embedded') embedded().refuseWhileItRuns(place.dataDir);
  const draft = mkdtempSync(join(roomFor(place), 'postgres.restore-'));
  try {
    const facts = unpack(file, draft);
    refuseWrongPlace(facts, place);
    const put = await putInPlace(draft, place);
    tell(facts, place, put);
  } finally {
    rmSync(draft, { recursive: true });
  }
});

/** An archive or a snapshot brings the rows back, and tells nobody that time was lost. */
async function finishElsewhere({ kind, databaseUrl }) {
  if (kind !== 'own')
    throw new Error(
      `${DONE_ELSEWHERE} is for a database of your own: set DATABASE_URL. The embedded one is restored from a file.`,
    );
  await makeReady(databaseUrl);
  say('Start the service. ' + WAITING);
  tellUnlisted(await railsWithoutList(databaseUrl));
}

/** Beside the database, so that it only has to be renamed. */
function roomFor({ kind, dataDir }) {
  if (kind === 'own') return tmpdir();
  mkdirSync(dataDir, { recursive: true });
  return realpathSync(dataDir);
}

async function putInPlace(draft, { kind, databaseUrl, dataDir }) {
  let unlisted = [];
  const ready = async (url) => {
    await makeReady(url);
    unlisted = await railsWithoutList(url);
  };
  if (kind === 'embedded') {
    const aside = await embedded().restoreCluster(dataDir, join(draft, 'postgres'), ready);
    return { aside, unlisted };
  }
  await restore(databaseUrl, join(draft, 'database.dump'));
  await ready(databaseUrl);
  return { aside: null, unlisted };
}

/** Those that are paid over, and of which no list was ever read. */
async function railsWithoutList(url) {
  const rails = await ask(
    url,
    `SELECT rail FROM (SELECT provider AS rail FROM payouts WHERE submitted_at IS NOT NULL
       UNION SELECT unnest(rails) FROM routes) AS used
     WHERE rail <> 'mock' AND rail NOT IN (SELECT rail FROM rail_scans) ORDER BY rail`,
  );
  return rails.map(({ rail }) => rail);
}

/** PostgreSQL plans by statistics, which a dump does not have and a copy may have of before. */
async function makeReady(url) {
  if (!(await isOurs(url))) throw new Error('What is to be restored is not a database of this service.');
  await ask(url, 'ANALYZE');
  // What rails paid since then may be rows that leave with others now, or go by another rail: nothing does before the lists of all rails
  // were compared with. An earlier version has no column to say so.
  await ask(url, 'ALTER TABLE rail_scans ADD COLUMN IF NOT EXISTS restored_at timestamptz');
  await ask(
    url,
    `UPDATE rail_scans SET restored_at = now(), scanned_until = least(scanned_until, now() - interval '11 minutes')`,
  );
}

function tell({ madeAt, newestPayout }, { kind, dataDir }, { aside, unlisted }) {
  say(`Restored, as it was at ${madeAt}${newestPayout ? `, with the newest payout of ${newestPayout}` : ''}.`);
  if (aside) say(`The database of before lies in ${aside}: remove it when you are sure.`);
  say(
    `Start the service with ${kind === 'own' ? 'this DATABASE_URL' : `DATA_DIR=${dataDir}`}, and the MASTER_KEY of then.`,
  );
  say(
    'Let callers send again what they got no answer to since then, under the same keys, and look at `gw drift --open`.',
  );
  say(WAITING);
  tellUnlisted(unlisted);
}

function tellUnlisted(unlisted) {
  if (unlisted.length > 0)
    say(
      `${unlisted.join(', ')} ${unlisted.length === 1 ? 'lists' : 'list'} nothing of what was moved, so no drift tells of it: compare there by hand ` +
        'before anybody withdraws over it.',
    );
}
