import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An admin found out that a rail never saw a payout: that counts where the rail itself cannot be asked any more. */
export class NeverSeen1763600000025 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'NeverSeen1763600000025';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts ADD COLUMN never_seen boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts DROP COLUMN never_seen');
  }
}
