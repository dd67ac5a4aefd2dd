import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { COUNTRIES } from '#libs/domain';
import { Check } from '#libs/http-kit';
import type { RouteRow } from '#libs/payees';
import { TEST_RAIL } from '#libs/rail-kit';

const RAIL = /^[a-z][a-z0-9_]{1,30}$/;
const EVERYWHERE = '*';

const isCountry = (code: unknown): boolean => typeof code === 'string' && (code === EVERYWHERE || COUNTRIES.has(code));
const isRails = (rails: unknown): boolean =>
  Array.isArray(rails) &&
  rails.every((rail) => typeof rail === 'string' && RAIL.test(rail)) &&
  rails.length <= 20 &&
  !rails.includes(TEST_RAIL) &&
  new Set(rails).size === rails.length;
const isTable = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(([country, rails]) => isCountry(country) && isRails(rails));
const isCountries = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= COUNTRIES.size &&
  value.every((code) => isCountry(code) && code !== EVERYWHERE);

export class RoutesBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'Rails by country, in order of preference; `*` stands for every country without a row of its own.',
    example: { US: ['custodial_a', 'claim_rail'], '*': ['claim_rail'] },
  })
  @Check(
    isTable,
    'must map ISO 3166-1 alpha-2 codes, or *, to lists of rail names, each name once, and not the test rail',
  )
  routes: Record<string, string[]>;

  @ApiProperty({
    type: [String],
    required: false,
    description: 'Nobody is paid there. Left out, they stay as they are.',
    example: ['KP'],
  })
  @IsOptional()
  @Check(isCountries, 'must be a list of ISO 3166-1 alpha-2 codes')
  blockedCountries?: string[];
}

export class ComparedBody {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    example: '2026-11-29T09:00:00.000Z',
    description:
      '`awaitedSince` as you read it before you compared: it is refused if the database went back once more since.',
  })
  @IsOptional()
  @IsString({ message: 'must be an ISO 8601 date-time with a time zone' })
  awaitedSince?: string | null;
}

export class RoutesView {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { US: ['custodial_a', 'claim_rail'], '*': ['claim_rail'] },
  })
  routes: Record<string, string[]>;
  @ApiProperty({ type: [String], example: ['KP'] }) blockedCountries: string[];
}

export function routeRows(routes: Record<string, string[]>, blockedCountries: string[]): RouteRow[] {
  const blocked = new Set(blockedCountries);
  const countries = [...new Set([...Object.keys(routes), ...blocked])].sort();
  return countries.map((country) => ({ country, rails: routes[country] ?? [], blocked: blocked.has(country) }));
}

export function routesView(rows: RouteRow[]): RoutesView {
  return {
    routes: Object.fromEntries(
      rows.filter(({ rails }) => rails.length > 0).map(({ country, rails }) => [country, rails]),
    ),
    blockedCountries: rows.filter(({ blocked }) => blocked).map(({ country }) => country),
  };
}
