import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';

/**
 * What a client's payees have held for a cause, payee after payee. The tail of an id is random, unlike its beginning: of very many of one payee
 * it picks some by chance.
 */
export class HeldByClient1763600000076 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'HeldByClient1763600000076';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'payouts_held_by_client',
      `payouts (client_id, split_part(status_reason, ':', 1), payee_id, right(id::text, 8))
       WHERE status = 'held' AND superseded_by IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_held_by_client');
  }
}
