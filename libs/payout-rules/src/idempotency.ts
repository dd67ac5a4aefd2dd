/** What makes two requests the same payment, and the code that makes the rail pay it once. */
import { createHash } from 'node:crypto';

export interface PaymentWish {
  payeeId: string;
  amountCents: number;
  currency: string;
  ref: string | null;
  reason: string | null;
}

export function fingerprintOf({ payeeId, amountCents, currency, ref, reason }: PaymentWish): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([payeeId, amountCents, currency, ref, reason]))
    .digest();
}

/**
 * Derived from what the caller sent, never from an id of ours: even a database restored from an old backup comes to the same
 * code, and the rail knows it.
 */
export function railKeyOf(deployment: string, clientId: string, idempotencyKey: string): string {
  return railKey([deployment, clientId, idempotencyKey]);
}

/** A row of a batch that has no key of its own. */
export interface BatchedRow {
  batchKey: string;
  /** As the caller names them, by address or externalId: the payee of an address may have been made by the batch itself. */
  whom: string;
}

export function batchRailKeyOf(deployment: string, clientId: string, { batchKey, whom }: BatchedRow): string {
  return railKey(['batch', deployment, clientId, batchKey, whom]);
}

export interface RowsOfCode {
  clientId: string;
  /** The payee, as the caller names them: our id of somebody who is made again is another one. */
  externalId: string;
  currency: string;
  refsDigest: string;
}

/**
 * For a payout of owed rows: derived from the rows, so that the same rows never move twice. What a rail refused for good
 * it would refuse again under the same code: only then is there a next one. All codes of one payee's rows begin alike, and those of the same
 * rows go on alike, whoever is their payee: a restored database that withdraws them with others, or for another payee, makes another code,
 * and finds by that what its rail lists of the one before. Whoever changes them changes CODES_SINCE (tools/backup/facts.mjs) with them.
 */
export function consolidatedRailKeyOf(
  deployment: string,
  { clientId, externalId, currency, refsDigest }: RowsOfCode,
  refusals: number,
): string {
  const whose = hashOf(['payee', deployment, clientId, externalId, currency]).slice(0, OF_PAYEE);
  const which = hashOf(['rows', deployment, clientId, currency, refsDigest]).slice(0, OF_ROWS);
  const nth = refusals.toString(16).padStart(LENGTH - OF_PAYEE - OF_ROWS, '0');
  return `${BEGIN}${whose}${which}${nth}`;
}

/** The key a provider knows a payee by. It stays the same for a payee who is made again after a restore. */
export const payeeKeyOf = (deployment: string, clientId: string, externalId: string): string =>
  railKey(['payee', deployment, clientId, externalId]);

/** Of a call after the first one. What a rail asks for once the payout was refused, and is tried again, is another call. */
export const legKeyOf = (payoutKey: string, name: string, round: number): string =>
  railKey(['leg', payoutKey, name, round]);

/** What all payouts of the same rows share, whatever their codes were derived from. */
export const fingerprintOfRows = (refsDigest: string): Buffer => createHash('sha256').update(refsDigest).digest();

const BEGIN = 'gw';
const LENGTH = 48;
/** The parts of it that say whose rows they are, and which. Statements that look for what rails list of them know of both. */
const OF_PAYEE = 16;
const OF_ROWS = 28;

const hashOf = (parts: (string | number)[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const railKey = (parts: (string | number)[]): string => `${BEGIN}${hashOf(parts).slice(0, LENGTH)}`;
