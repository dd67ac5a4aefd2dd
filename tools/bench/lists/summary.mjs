// The plans, and the table: a deep page should cost what the first one costs.
import { dim, heading, say, yellow } from '../../terminal.mjs';
import { ms, table, times, whole } from '../report.mjs';

const NEAR_ONE = 1.5;
const MANY_BUFFERS = 1000;

export function tellPlans(results) {
  heading('How PostgreSQL finds them (EXPLAIN ANALYZE, BUFFERS)');
  for (const { name, pages, first, deep } of results) {
    tellPlan(`${name}: page 1`, first.plan);
    if (!deep) continue;
    tellPlan(`${name}: page ${whole(pages)} by cursor2`, deep.plan);
    tellPlan(`${name}: page ${whole(pages)} by cursor`, deep.byTimePlan);
  }
}

function tellPlan(title, { nodes, buffers, ms: took }) {
  say(`${title} ${dim(`${ms(took)}, ${whole(buffers)} buffers`)}`);
  for (const line of nodes) say(dim(`    ${line}`));
}

export function summarize(results) {
  heading('What came out');
  const heads = [
    'filter',
    'page 1',
    'buffers',
    'deep page',
    'by cursor2',
    'ratio',
    'by cursor',
    'ratio',
    'buffers',
    '',
  ];
  table(heads, results.map(rowOf));
  say('');
  say(
    `Times over HTTP, medians of 15. A ratio over ${NEAR_ONE}, or more than ${whole(MANY_BUFFERS)} buffers, is marked.`,
  );
}

function rowOf({ name, pages, first, deep }) {
  const front = [name, ms(first.ms), whole(first.plan.buffers)];
  if (!deep) return [...front, 'one page', '', '', '', '', '', mark(1, first.plan.buffers)];
  const [ratio, byTime] = [deep.ms / first.ms, deep.byTimeMs / first.ms];
  const buffers = Math.max(deep.plan.buffers, deep.byTimePlan.buffers);
  return [
    ...front,
    whole(pages),
    ...[ms(deep.ms), times(ratio), ms(deep.byTimeMs), times(byTime), whole(buffers)],
    mark(Math.max(ratio, byTime), Math.max(buffers, first.plan.buffers)),
  ];
}

function mark(ratio, buffers) {
  const complaints = [ratio > NEAR_ONE && 'deep costs more', buffers > MANY_BUFFERS && 'reads much'].filter(Boolean);
  return complaints.length > 0 ? yellow(complaints.join(', ')) : '';
}
