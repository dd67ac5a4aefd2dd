/** The rows of wallets and their entries. A wallet's lock is what makes two payouts spend it one after the other. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { type Wallet, type WalletEntry, walletKey, type WalletKey, type WalletMove } from '../wallet';

@Injectable()
export class WalletStore {
  constructor(private readonly db: Db) {}

  /** Locks in the order of keys. A wallet that never got an entry is not there: it covers nothing. */
  lockAll(keys: WalletKey[]): Promise<Wallet[]> {
    return this.db.rows<Wallet>(`${WALLETS} ORDER BY client_id, currency FOR NO KEY UPDATE`, [
      keys.map(({ clientId }) => clientId),
      keys.map(({ currency }) => currency),
    ]);
  }

  /** Locks those that nobody else holds; `busy` are there too, and held. */
  async lockFree(keys: WalletKey[]): Promise<{ free: Wallet[]; busy: WalletKey[] }> {
    const values = [keys.map(({ clientId }) => clientId), keys.map(({ currency }) => currency)];
    const free = await this.db.rows<Wallet>(
      `${WALLETS} ORDER BY client_id, currency FOR NO KEY UPDATE SKIP LOCKED`,
      values,
    );
    if (free.length === new Set(keys.map(walletKey)).size) return { free, busy: [] };
    const mine = new Set(free.map(walletKey));
    const there = await this.db.rows<WalletKey>(WALLETS, values);
    return { free, busy: there.filter((key) => !mine.has(walletKey(key))) };
  }

  /** One move for each wallet. They are locked in order, so that two callers never wait for each other in a circle. */
  async move(moves: WalletMove[]): Promise<void> {
    await this.db.write(MOVE, [
      moves.map(({ clientId }) => clientId),
      moves.map(({ currency }) => currency),
      moves.map(({ inFlightCents }) => inFlightCents),
      moves.map(({ paidCents }) => paidCents),
      moves.map(({ feeCents }) => feeCents),
    ]);
  }

  /** null when the reference is taken. */
  async insertEntry(entry: Omit<WalletEntry, 'createdAt'>): Promise<WalletEntry | null> {
    const { id, clientId, type, currency, amountCents, reference, note } = entry;
    const inserted = await this.db.row<WalletEntry>(
      `INSERT INTO wallet_entries (id, client_id, type, currency, amount_cents, reference, note)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (client_id, reference) DO NOTHING RETURNING *`,
      [id, clientId, type, currency, amountCents, reference, note],
    );
    if (!inserted) return null;
    await this.db.execute(
      `INSERT INTO wallets (client_id, currency, deposited_cents) VALUES ($1, $2, $3)
       ON CONFLICT (client_id, currency) DO UPDATE SET deposited_cents = wallets.deposited_cents + $3`,
      [clientId, currency, amountCents],
    );
    return inserted;
  }

  entryOf(clientId: string, reference: string): Promise<WalletEntry | null> {
    return this.db.row<WalletEntry>('SELECT * FROM wallet_entries WHERE client_id = $1 AND reference = $2', [
      clientId,
      reference,
    ]);
  }
}

const WALLETS = `
  SELECT * FROM wallets WHERE (client_id, currency) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`;

const MOVE = `
  WITH moves AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
      AS t (client_id, currency, in_flight, paid, fees)
  ), locked AS (
    SELECT wallets.client_id, wallets.currency, moves.in_flight, moves.paid, moves.fees
    FROM wallets JOIN moves USING (client_id, currency)
    ORDER BY wallets.client_id, wallets.currency FOR NO KEY UPDATE OF wallets
  ), written AS (
    UPDATE wallets SET
      in_flight_cents = in_flight_cents + locked.in_flight,
      paid_cents = paid_cents + locked.paid,
      fee_cents = fee_cents + locked.fees
    FROM locked WHERE wallets.client_id = locked.client_id AND wallets.currency = locked.currency
    RETURNING wallets.client_id
  )
  SELECT all_written(count(*), cardinality($1), 'A payout draws on a wallet that is not there.') FROM written`;
