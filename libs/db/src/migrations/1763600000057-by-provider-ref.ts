import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators look for the payout that a provider speaks of. */
export class ByProviderRef1763600000057 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'ByProviderRef1763600000057';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX payouts_by_provider_ref ON payouts (provider_ref) WHERE provider_ref IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_by_provider_ref');
  }
}
