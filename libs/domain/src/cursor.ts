/**
 * Opaque list cursors: the place of the last row, as its creation time in microseconds and its id, so that rows made
 * in the same instant are never skipped. A page costs the same wherever it starts.
 */
import { canonicalId } from './ids';

export interface ListPlace {
  createdUs: string;
  id: string;
}

/** A row of a page that may have ended early: how many rows it would have had. */
export interface PageRow extends ListPlace {
  pageRows?: number;
}

const MICROSECONDS = /^[0-9]{1,17}$/;

export function encodeCursor(place: ListPlace): string {
  return Buffer.from(`${place.createdUs}.${place.id}`).toString('base64url');
}

export function decodeCursor(text: string): ListPlace | null {
  const [createdUs, id, ...rest] = Buffer.from(text, 'base64url').toString('latin1').split('.');
  if (!createdUs || !id || rest.length > 0 || !MICROSECONDS.test(createdUs) || canonicalId(id) !== id) return null;
  return encodeCursor({ createdUs, id }) === text ? { createdUs, id } : null;
}
