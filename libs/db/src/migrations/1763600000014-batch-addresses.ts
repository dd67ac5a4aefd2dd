import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whom an address of a batch was found to be: the batch sent again means the same payee, whoever has the address by then. */
export class BatchAddresses1763600000014 implements MigrationInterface {
  readonly name = 'BatchAddresses1763600000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE batch_addresses (
        client_id uuid NOT NULL REFERENCES clients,
        batch bytea NOT NULL,
        email text NOT NULL,
        payee_id uuid NOT NULL REFERENCES payees,
        PRIMARY KEY (client_id, batch, email)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE batch_addresses');
  }
}
