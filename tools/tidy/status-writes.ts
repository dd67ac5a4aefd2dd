/** Only the payout store writes a payout's status: every step then goes through the table of transitions. */
const STORE = 'libs/payouts/src/db/payout.store.ts';
const WRITE = /\b(?:INSERT\s+INTO|MERGE\s+INTO|UPDATE(?:\s+ONLY)?)\s+(?:public\.)?"?payouts"?\b(?<rest>[^`]*)/gi;
const STATUS_SET = /\bSET\b(?:(?!\b(?:WHERE|FROM|RETURNING)\b)[^])*?(?:^|[\s,("])status"?\s*(?:=|,[^=]*\)\s*=|\)\s*=)/i;

export function statusWrites(path: string, text: string): string[] {
  if (path === STORE) return [];
  return [...text.matchAll(WRITE)]
    .filter(([statement, rest]) => !/^UPDATE/i.test(statement) || STATUS_SET.test(rest ?? ''))
    .map(
      ([statement]) => `writes a payout's status ('${firstLine(statement)}'): only ${STORE} may, through advance().`,
    );
}

const firstLine = (statement: string): string => (statement.split('\n')[0] ?? '').slice(0, 60);
