import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few rows were on a payout before. Finding them read all rows of a payee, or of a payout, of which there may be 100,000. */
export class RowsThatWereOut1763600000064 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RowsThatWereOut1763600000064';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX disbursements_owed_again ON disbursements (payee_id)
       WHERE status = 'owed' AND (transaction_id IS NOT NULL OR earlier <> '{}')`,
    );
    await runner.query(
      `CREATE INDEX disbursements_attached_again ON disbursements (transaction_id) WHERE earlier <> '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX disbursements_attached_again');
    await runner.query('DROP INDEX disbursements_owed_again');
  }
}
