// docs/states.md: the table of transitions, drawn, listed, and in the words of status version 2.
import { lib } from './compiled.mjs';
import { code, page, table } from './markdown.mjs';

/** The custodies of libs/domain/src/payout/status-words.ts, in words. */
const CUSTODIES = { custodial: 'custodial rails', claim: 'claim rails', swap: 'swap rails' };

export function statesPage() {
  const { TRANSITIONS, PAYOUT_STATUSES, isFinal, rowStatusOf } = lib('domain');
  return page(
    'States of a payout',
    'transitions.ts, status-words.ts and disbursement-states.ts of libs/domain',
    'Nothing else decides what may follow what, and only the payout store writes a status.',
    diagram(TRANSITIONS),
    table(
      ['From', 'Step', 'To', 'Only'],
      TRANSITIONS.map(({ from, on, to, only }) => [
        from ? code(from) : 'nothing',
        code(on),
        code(to),
        only ? `after a ${only} failure` : '',
      ]),
    ),
    `A status nobody leaves: ${endings(PAYOUT_STATUSES, isFinal).join(', ')}. There is no step for a timeout: an outcome
     that nobody knows leaves the payout ${code('submitted')} until the rail can be asked.`,
    '## Words of version 2',
    `A client reads the words of its status version, in answers and in events alike. Version 1 is what the table says. The
     ${code('status')} filter of ${code('GET /api/v1/payouts')} takes version 1 words whatever the client's version.`,
    words(PAYOUT_STATUSES),
    `${code('owed')} is a word of version 2 too. It belongs to disbursements and never stands on a payout.`,
    '## Owed rows',
    `A row takes no steps of its own: it follows the payout it is on. Before it is on any, and once that payout was
     superseded and the row is on the next, the same table holds. What a bank sends back of a ${code('returned')} payout of
     rows is a new row, ${code('owed')}.`,
    table(
      ['Its payout', 'The row'],
      [['none', code('owed')], ...PAYOUT_STATUSES.map((status) => [code(status), code(rowStatusOf(status))])],
    ),
  );
}

/** One arrow for each pair of states; it carries all the steps that lead that way. */
function diagram(transitions) {
  const arrows = new Map();
  for (const { from, on, to } of transitions) {
    const arrow = `${from ?? '[*]'} --> ${to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), on]);
  }
  const lines = [...arrows].map(([arrow, steps]) => `    ${arrow}: ${steps.join(', ')}`);
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n');
}

function endings(statuses, isFinal) {
  return statuses
    .filter((status) => isFinal(status, 'permanent'))
    .map((status) => (isFinal(status, null) ? code(status) : `${code(status)} for a permanent cause`));
}

function words(statuses) {
  return table(
    ['Version 1', ...Object.values(CUSTODIES)],
    statuses.map((status) => [code(status), ...Object.keys(CUSTODIES).map((custody) => wordsOf(status, custody))]),
  );
}

function wordsOf(status, custody) {
  const { statusWord } = lib('domain');
  const [unclaimed, claimed] = [false, true].map((claimed) => statusWord({ status, custody, claimed }, 2));
  return unclaimed === claimed ? code(claimed) : `${code(unclaimed)}, once claimed ${code(claimed)}`;
}
