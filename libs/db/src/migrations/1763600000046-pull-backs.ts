import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few payouts that are paid have a call under way, to pull their money back: they are found without reading all that was paid. */
export class PullBacks1763600000046 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PullBacks1763600000046';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payouts_pulled_back ON payouts (updated_at) WHERE status = 'paid'
        AND legs @? '$[last] ? (@.over == false && (@.toSend == true || @.said == null))'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_pulled_back');
  }
}
