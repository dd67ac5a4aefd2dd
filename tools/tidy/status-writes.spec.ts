import { statusWrites } from './status-writes';

const ELSEWHERE = 'libs/payouts/src/use-cases/settle.ts';

describe('writing a payout status', () => {
  it.each([
    "UPDATE payouts SET status = 'paid' WHERE id = $1",
    'update payouts p\n  set updated_at = now(),\n      status = $2\n  where p.id = $1',
    "UPDATE ONLY public.payouts AS p SET (status, reason) = ('held', $2) WHERE id = $1",
    'INSERT INTO payouts (id, status) VALUES ($1, $2)',
    'WITH new AS (INSERT INTO payouts (id) VALUES ($1) RETURNING id) SELECT id FROM new',
  ])('is refused: %s', (sql) => {
    expect(statusWrites(ELSEWHERE, `const sql = \`${sql}\`;`)).toHaveLength(1);
    expect(statusWrites('libs/payouts/src/db/payout.store.ts', sql)).toEqual([]);
  });

  it.each([
    "SELECT id FROM payouts WHERE status = 'held' FOR UPDATE",
    "UPDATE payouts SET checked_at = now() WHERE status = 'submitted'",
    "UPDATE events SET status = 'sent' WHERE id = $1",
    'INSERT INTO payouts_archive (id, status) VALUES ($1, $2)',
    "UPDATE payouts SET lookup_status = 'asked' WHERE id = $1",
  ])('is not what this does: %s', (sql) => {
    expect(statusWrites(ELSEWHERE, `const sql = \`${sql}\`;`)).toEqual([]);
  });
});
