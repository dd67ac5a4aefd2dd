/** Lists: the limit every list takes, and the envelope every list answers. */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Min } from 'class-validator';
import { decodeCursor, encodeCursor, type ListPlace, type PageRow, Refusal } from '#libs/domain';
import { ReadAs } from './as-sent';

const MAX_LIMIT = 100;

/** Query values are text: only plain digits count as a number. */
function limitOf(value: unknown): unknown {
  return typeof value === 'string' && /^[0-9]{1,300}$/.test(value) ? Math.min(Number(value), MAX_LIMIT) : value;
}

export function Limit(): PropertyDecorator {
  const message = 'must be a whole number of at least 1';
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: MAX_LIMIT, required: false }),
    ReadAs(limitOf),
    IsOptional(),
    IsInt({ message }),
    Min(1, { message }),
  );
}

export const limitOrDefault = (limit: number | undefined): number => limit ?? MAX_LIMIT;

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** A page of rows that were read with one more than asked for. */
export function pageOf<Row extends PageRow, View>(rows: Row[], limit: number, view: (row: Row) => View): Page<View> {
  const { shown, last } = shownOf(rows, limit);
  return { data: shown.map(view), nextCursor: last ? encodeCursor(last) : null };
}

/** The extra row, or one that found no room any more, tells that there is a next page: `last` is where it goes on. */
export function shownOf<Row extends PageRow>(rows: Row[], limit: number): { shown: Row[]; last?: Row } {
  const shown = rows.slice(0, limit);
  const isMore = (rows[0]?.pageRows ?? rows.length) > shown.length;
  return { shown, last: isMore ? shown[shown.length - 1] : undefined };
}

/** `name` is what its page calls it. */
export function placeOf(cursor: string | undefined, name = 'nextCursor'): ListPlace | null {
  if (cursor === undefined) return null;
  const place = decodeCursor(cursor);
  if (!place) throw new Refusal('invalid_cursor', `Use ${name} of the page before, unchanged.`);
  return place;
}
