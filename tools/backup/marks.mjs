// What makes a restored database safe to be worked on, and quick.
import { existsSync, readFileSync } from 'node:fs';
import { ask, isOurs } from './facts.mjs';

/** An image has no sources, and the same file beside what is built. */
const PLACES = ['libs', 'dist/libs'].map((libs) => new URL(`../../${libs}/db/src/restored.sql`, import.meta.url));

/** As a service sets them itself if it finds its database elsewhere. */
export const MARKS = readFileSync(
  PLACES.find((place) => existsSync(place)),
  'utf8',
);

export async function mark(url) {
  if (!(await isOurs(url))) throw new Error('What is to be restored is not a database of this service.');
  await ask(url, MARKS);
}

/** PostgreSQL plans by statistics, which a dump lacks and a copy may have outdated. Reading them takes a while, so the marks come first. */
export async function readStatistics(url) {
  try {
    await ask(url, 'ANALYZE');
  } catch (error) {
    throw new Error(
      `The database is restored and marked, but it will be slow until you run ANALYZE on it. ${error.message}`,
    );
  }
}
