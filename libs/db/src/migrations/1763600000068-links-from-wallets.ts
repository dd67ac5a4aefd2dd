import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which way back from a rail's pages began in a wallet: it is over with that, as the link is that it was made from. Older code beside
 * this makes some that do not say so, and that are good for their day.
 */
export class LinksFromWallets1763600000068 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'LinksFromWallets1763600000068';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE page_links ADD COLUMN from_wallet boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE page_links DROP COLUMN from_wallet');
  }
}
