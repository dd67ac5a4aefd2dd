import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Under which name this database pays. A process that is started under another finds out before it sends anything. */
export class Deployment1763600000058 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Deployment1763600000058';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE deployment (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), name text NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deployment');
  }
}
