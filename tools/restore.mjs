// `npm run restore -- <file>`: puts a backup in the place of the database. The service must be stopped; the database that was
// there is moved aside, and a database of one's own must be empty. `npm run restore -- --done-elsewhere` is for one that was restored in
// another way: it does what else a restore has to.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpack } from './backup/archive.mjs';
import { ask, PAID_BY_THIS_VERSION, refuseOtherCodes, refuseWrongPlace } from './backup/facts.mjs';
import { mark, readStatistics } from './backup/marks.mjs';
import { restore } from './backup/own-database.mjs';
import { embedded, fileOf, here } from './backup/place.mjs';
import { runScript, say } from './terminal.mjs';

const DONE_ELSEWHERE = '--done-elsewhere';
const STOPPED_LATE = 'Stopped after the database was restored and marked. Run ANALYZE on it before it has much to do.';
const WAITING =
  'Owed rows wait until every rail was compared with. The service does that with those that list what they moved, ten minutes after the restore.';

await runScript(async () => {
  const words = process.argv.slice(2);
  const place = here();
  if (words.join(' ') === DONE_ELSEWHERE) return finishElsewhere(place);
  const file = fileOf(
    words.filter((word) => word !== PAID_BY_THIS_VERSION),
    'restore',
  );
  if (place.kind === 'embedded') embedded().refuseWhileItRuns(place.dataDir);
  const draft = mkdtempSync(join(roomFor(place), 'postgres.restore-'));
  const end = listenForEnd(draft);
  try {
    const facts = unpack(file, draft);
    refuseWrongPlace(facts, place);
    refuseOtherCodes(facts, words);
    tellRestored(facts, await putInPlace(draft, place, end));
    end.isReady();
    end.refuseIfTold();
    const unlisted = await askedOf(place, lookedThrough);
    tellWhatNext(place, unlisted);
  } finally {
    rmSync(draft, { recursive: true });
  }
});

/** An abandoned copy is as secret as a restored one, so it is removed. A server that runs on it is stopped first, or it would write it again. */
function listenForEnd(draft) {
  let [isTold, isBusy, isReady] = [false, false, false];
  const told = () => {
    isTold = true;
    if (isBusy) return;
    rmSync(draft, { recursive: true, force: true });
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, told);
  return {
    refuseIfTold() {
      if (isTold) throw new Error(isReady ? STOPPED_LATE : 'Stopped. Nothing was changed.');
    },
    /** The database is restored and marked. */
    isReady: () => void (isReady = true),
    async waitsFor(work) {
      isBusy = true;
      return work().finally(() => (isBusy = false));
    },
  };
}

/** An archive or a snapshot brings the rows back, and tells nobody that time was lost. So does a copy of the folder that is put back by hand. */
async function finishElsewhere(place) {
  if (place.kind === 'embedded') {
    if (!existsSync(join(place.dataDir, 'postgres')))
      throw new Error(`There is no database in DATA_DIR=${place.dataDir}. For one of your own set DATABASE_URL.`);
    embedded().refuseWhileItRuns(place.dataDir);
  }
  const unlisted = await askedOf(place, async (url) => {
    await mark(url);
    return lookedThrough(url);
  });
  say('Start the service. ' + WAITING);
  tellUnlisted(unlisted);
}

/** Beside the database, so that it only has to be renamed. */
function roomFor({ kind, dataDir }) {
  if (kind === 'own') return tmpdir();
  mkdirSync(dataDir, { recursive: true });
  return realpathSync(dataDir);
}

/** Marked already: from here on a service may be started on it, whatever becomes of us. Answers where the one of before lies, or null. */
async function putInPlace(draft, { kind, databaseUrl, dataDir }, end) {
  const makeReady = async (url) => {
    await mark(url);
    end.refuseIfTold();
  };
  if (kind === 'embedded') return end.waitsFor(() => embedded().restoreCluster(dataDir, draft, makeReady));
  await restore(databaseUrl, join(draft, 'database.dump'));
  return null;
}

async function askedOf({ kind, databaseUrl, dataDir }, question) {
  if (kind === 'own') return question(databaseUrl);
  const postgres = await embedded().startEmbeddedPostgres({ dataDir });
  try {
    return await question(postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function lookedThrough(url) {
  await readStatistics(url);
  return railsWithoutList(url);
}

/** Those that were used, or may have been (as restored.sql has it), and never listed anything, as far as this database knows. */
async function railsWithoutList(url) {
  const rails = await ask(
    url,
    `SELECT rail FROM (SELECT provider AS rail FROM payouts WHERE submitted_at IS NOT NULL
         UNION SELECT unnest(rails) FROM routes UNION SELECT rail FROM rail_accounts) AS used
       WHERE rail <> 'mock' AND NOT EXISTS (SELECT FROM rail_movements AS listed WHERE listed.rail = used.rail) ORDER BY rail`,
  );
  return rails.map(({ rail }) => rail);
}

function tellRestored({ madeAt, newestPayout }, aside) {
  say(`Restored, as it was at ${madeAt}${newestPayout ? `, with the newest payout of ${newestPayout}` : ''}.`);
  if (aside) say(`The previous database is in ${aside}: remove it once you are sure.`);
}

function tellWhatNext({ kind, dataDir }, unlisted) {
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
  if (unlisted.length === 0) return;
  say(
    `${unlisted.join(', ')} ${unlisted.length === 1 ? 'lists' : 'list'} nothing of what was moved, as far as this database knows, so no drift tells ` +
      'of it. No owed rows leave, whichever rail they go by, until you have compared there by hand and said so ' +
      '(docs/operating.md says how):',
  );
  for (const rail of unlisted) say(`  npm run gw -- rails compared ${rail}`);
}
