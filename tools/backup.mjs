// `npm run backup -- <file>`: all that the service knows, in one file, while it goes on running. DATABASE_URL or DATA_DIR say
// of which database, as they do for the service. The master key is not in it.
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pack } from './backup/archive.mjs';
import { factsOf } from './backup/facts.mjs';
import { dump } from './backup/own-database.mjs';
import { embedded, fileOf, here } from './backup/place.mjs';
import { runScript, say } from './terminal.mjs';

await runScript(async () => {
  const file = fileOf(process.argv.slice(2), 'backup');
  if (existsSync(file)) throw new Error(`${file} is there already, and is left as it is.`);
  if (!existsSync(dirname(file))) throw new Error(`There is no folder ${dirname(file)}.`);
  const draft = mkdtempSync(join(realpathSync(dirname(file)), '.payout-gateway-backup-'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => leaveNothing(draft));
  try {
    const { content, facts } = await copyInto(draft);
    pack(draft, content, facts, file);
    tell(file, facts);
  } finally {
    rmSync(draft, { recursive: true });
  }
});

/** A copy that nobody asked for any more is as secret as one that was finished. */
function leaveNothing(draft) {
  rmSync(draft, { recursive: true, force: true });
  process.exit(1);
}

async function copyInto(draft) {
  const { kind, databaseUrl, dataDir, deployment } = here();
  if (kind === 'own') {
    const facts = await factsOf(databaseUrl, { kind, deployment });
    await dump(databaseUrl, join(draft, 'database.dump'));
    return { content: 'database.dump', facts };
  }
  const look = (url) => factsOf(url, { kind, deployment });
  const facts = await embedded().backUpCluster(dataDir, join(draft, 'postgres'), look);
  return { content: 'postgres', facts };
}

function tell(file, { clients, newestPayout, masterKeys }) {
  const size = (statSync(file).size / 1024 / 1024).toFixed(1);
  const until = newestPayout ? `, the newest payout of ${newestPayout.toISOString()}` : '';
  say(`${resolve(file)}  ${size} MiB, ${clients} ${clients === 1 ? 'client' : 'clients'}${until}`);
  if (masterKeys.length > 0)
    say(`Its secrets are sealed with master key ${masterKeys.join(', ')}, which is not in it. Keep that elsewhere.`);
}
