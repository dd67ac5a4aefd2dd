// A backup is one file: a compressed tar of facts.json, which says what it is, and the database beside it.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const FACTS = 'facts.json';
const FORMAT = 1;

/**
 * Packs what lies in `folder`, which is beside the file; nobody but its owner may read the file, and it never replaces another one.
 * Its draft lies in that folder too: under a name that others know it could be theirs already, and stay so.
 */
export function pack(folder, content, facts, file) {
  writeFileSync(join(folder, FACTS), `${JSON.stringify({ format: FORMAT, ...facts }, null, 2)}\n`);
  const draft = join(folder, 'packed');
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    tar(['--create', '--gzip', '--file', draft, '--directory', folder, FACTS, content]);
    if (existsSync(file)) throw new Error(`${file} appeared meanwhile, and is left as it is.`);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Unpacks all of it into `folder`, and answers its facts. */
export function unpack(file, folder) {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  try {
    tar(['--extract', '--gzip', '--no-same-owner', '--file', file, '--directory', folder]);
  } catch (error) {
    throw new Error(`${file} is no backup of this service, or not all of it: ${error.message}`);
  }
  return factsIn(file, folder);
}

function factsIn(file, folder) {
  const path = join(folder, FACTS);
  const facts = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  if (facts.format === FORMAT) return facts;
  if (facts.format === undefined) throw new Error(`${file} is no backup of this service: it has no ${FACTS}.`);
  throw new Error(
    `${file} was made by another version of this service (format ${facts.format}). Restore it with that.`,
  );
}

function tar(words) {
  const { status, error, stderr } = spawnSync('tar', words, { encoding: 'utf8' });
  if (error) throw new Error(`There is no tar on this machine (${error.code}).`);
  if (status !== 0) throw new Error(stderr.trim().split('\n')[0]);
}
