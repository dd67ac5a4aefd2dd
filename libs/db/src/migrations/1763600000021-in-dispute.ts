import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is in dispute is asked in one way, wherever something is about to be sent. What came back remembers where it was. */
export class InDispute1763600000021 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'InDispute1763600000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IN_DISPUTE);
    await runner.query(WHERE_RETURNS_WERE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW payouts_in_dispute');
  }
}

/**
 * Payouts about which a rail and we disagree: itself, what has its code, or what its rows were on before, or came back from.
 * And what was never sent and has a code under which money moved, as an operator found out: its rail would say that it paid it.
 */
const IN_DISPUTE = `
  CREATE VIEW payouts_in_dispute AS
  SELECT payout_id FROM drift WHERE resolved_at IS NULL
  UNION ALL
  SELECT payouts.id FROM payouts
  JOIN drift ON drift.rail = payouts.provider AND drift.rail_key = payouts.rail_key AND drift.resolved_at IS NULL
  UNION ALL
  SELECT rows.payout_id FROM payouts_of_rows_before AS rows
  JOIN drift ON drift.payout_id = rows.before_id AND drift.resolved_at IS NULL
  UNION ALL
  SELECT mine.id FROM payouts AS mine
  JOIN payouts AS other ON other.rail_key = mine.rail_key AND other.id <> mine.id
  JOIN drift ON drift.payout_id = other.id AND drift.resolved_by IS NOT NULL
  WHERE mine.submitted_at IS NULL`;

/** What came back and is owed, or was paid out again. The reference says of which payout it is. */
const WHERE_RETURNS_WERE = `
  UPDATE disbursements SET earlier = earlier || ARRAY(
    SELECT DISTINCT known.id FROM disbursements AS one CROSS JOIN LATERAL unnest(one.earlier || one.transaction_id) AS known (id)
    WHERE one.transaction_id = substr(disbursements.external_ref, 8)::uuid AND known.id <> ALL(disbursements.earlier))
  WHERE external_ref LIKE 'return:%'`;
