import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Money is heard of for what ended, whoever hears it, a rail's list alone too: what its rail had said last of that payout, that nothing moved, or an
 * admin that it never saw it, was not the last word. It may move once more after its list closed the difference, and be forgotten.
 */
export class MoneyHeardOf1763600000090 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MoneyHeardOf1763600000090';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION take_back_last_word() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE payouts SET cleared_at = NULL, never_seen = false
        WHERE id = NEW.payout_id AND (cleared_at IS NOT NULL OR never_seen);
        RETURN NULL;
      END $$`,
    );
    await runner.query(
      `CREATE TRIGGER drift_takes_back_last_word AFTER INSERT ON drift FOR EACH ROW
      WHEN (NEW.payout_id IS NOT NULL AND NEW.kind <> 'not_moved_there') EXECUTE FUNCTION take_back_last_word()`,
    );
    await runner.query(OF_LISTED);
    await runner.query(
      `CREATE TRIGGER movements_take_back_last_word AFTER INSERT ON rail_movements REFERENCING NEW TABLE AS listed
      FOR EACH STATEMENT EXECUTE FUNCTION take_back_last_word_of_listed()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER movements_take_back_last_word ON rail_movements');
    await runner.query('DROP FUNCTION take_back_last_word_of_listed()');
    await runner.query('DROP TRIGGER drift_takes_back_last_word ON drift');
    await runner.query('DROP FUNCTION take_back_last_word()');
  }
}

/** Money that is listed as out and back at once makes no difference to write down. */
const OF_LISTED = `
  CREATE FUNCTION take_back_last_word_of_listed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE payouts SET cleared_at = NULL, never_seen = false FROM listed
    WHERE listed.direction = 'out' AND payouts.rail_key = listed.rail_key AND provider = listed.rail
      AND status IN ('failed', 'returned') AND (cleared_at IS NOT NULL OR never_seen);
    RETURN NULL;
  END $$`;
