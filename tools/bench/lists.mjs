// `npm run bench lists`: what a page of GET /payouts costs, with each combination of filters, at the front of the list
// and deep inside it, and how PostgreSQL finds it.
import { heading, say, took } from '../terminal.mjs';
import { prepareLists } from './lists/ground.mjs';
import { filterCombinations } from './lists/filters.mjs';
import { measureFilter } from './lists/pages.mjs';
import { summarize, tellPlans } from './lists/summary.mjs';
import { progress, whole } from './report.mjs';

export async function run(stage, { rows }) {
  const startedAt = performance.now();
  heading(`Preparing ${whole(rows)} payouts`);
  const ground = await prepareLists(stage, rows);
  heading('Asking for pages of 100');
  const results = [];
  for (const filter of filterCombinations(ground)) {
    progress(filter.name);
    results.push({ ...filter, ...(await measureFilter(ground, filter)) });
  }
  tellPlans(results);
  summarize(results);
  say(took(startedAt));
}
