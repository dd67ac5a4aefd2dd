/** Lists whose rows answer for themselves: a bad row gets its code, and the others go on. */
import { ApiProperty } from '@nestjs/swagger';
import type { RowError } from '#libs/domain';
import { instanceAsSent } from './as-sent';
import { Check } from './fields';
import { firstTrouble } from './first-trouble';
import { knownProperties } from './known-properties';
import { shown } from './shown';
import { UNKNOWN_PROPERTY } from './validation';

export const MAX_ROWS = 1000;

/** A list that is no list of rows at all is refused as a whole. */
export function Rows(row: new () => object): PropertyDecorator {
  const accepts = (value: unknown): boolean =>
    Array.isArray(value) && value.length >= 1 && value.length <= MAX_ROWS && value.every(isObject);
  return (target, property) => {
    ApiProperty({ type: [row], minItems: 1, maxItems: MAX_ROWS })(target, property);
    Check(accepts, `must be a list of 1 to ${MAX_ROWS} objects`)(target, property);
  };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

export interface RowRefusal {
  error: RowError;
  message: string;
}

/** The part of a row that says whom it pays, in exactly one way. */
export interface TargetedRow {
  payeeId?: string | null;
  email?: string | null;
}

const CODE_OF_FIELD: Record<string, RowError> = {
  payeeId: 'payee_not_found',
  amountCents: 'invalid_amount',
  currency: 'invalid_currency',
  email: 'invalid_email',
  externalRef: 'invalid_external_ref',
};

export function readRow<T extends TargetedRow>(Row: new () => T, value: object): T | RowRefusal {
  const { payeeId, email } = value as TargetedRow;
  if (payeeId == null && email == null) return { error: 'payee_target_missing', message: 'Say payeeId or email.' };
  if (payeeId != null && email != null)
    return { error: 'payee_target_ambiguous', message: 'Say payeeId or email, not both.' };
  const known = knownProperties(Row);
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined) return { error: 'invalid_row', message: `${shown(unknown)} ${UNKNOWN_PROPERTY}` };
  const row = instanceAsSent(Row, value);
  const trouble = firstTrouble(Row, row);
  if (!trouble) return row;
  return { error: CODE_OF_FIELD[trouble.path] ?? 'invalid_row', message: `${trouble.path} ${trouble.message}` };
}

export const isRefusal = (row: object): row is RowRefusal => 'error' in row;
