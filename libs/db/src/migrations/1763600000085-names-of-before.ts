import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rails keep with a payout all names that it was sent under, because its provider may pay one of before. Code from before this drops them when
 * it begins the next one, and what is dropped is paid a second time.
 */
export class NamesOfBefore1763600000085 implements MigrationInterface {
  readonly name = 'NamesOfBefore1763600000085';

  /** Nothing changes but the floor. */
  async up(_: QueryRunner): Promise<void> {}

  async down(_: QueryRunner): Promise<void> {}
}
