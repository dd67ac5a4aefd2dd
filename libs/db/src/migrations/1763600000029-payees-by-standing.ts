import type { MigrationInterface, QueryRunner } from 'typeorm';

/** "Verified, and not payable" is a list that support asks for: it is short, and was looked for among all who are verified. */
export class PayeesByStanding1763600000029 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PayeesByStanding1763600000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX payees_by_standing ON payees (client_id, kyc_status, payable, created_at DESC, id DESC)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payees_by_standing');
  }
}
