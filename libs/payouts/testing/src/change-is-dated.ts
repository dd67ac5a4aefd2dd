import type { MoneyWorld } from './world';

/** A change of an address is dated by the latest that the database's clock may be: what is made before that is as old as what was there. */
export async function changeIsDated({ db }: MoneyWorld, payeeId: string): Promise<void> {
  const isOver = () => db.row('SELECT FROM payees WHERE id = $1 AND email_changed_at < now()', [payeeId]);
  while ((await isOver()) === null) await new Promise((resolve) => setImmediate(resolve));
}
