import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a payee has their address. Left out: since they were made, or since before that was kept. Older code leaves it as it is. */
export class SinceWhenAnAddress1763600000077 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'SinceWhenAnAddress1763600000077';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payees ADD COLUMN email_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payees DROP COLUMN email_since');
  }
}
