/** The fields that recur in bodies, each with its check and its documentation in one place. */
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, IsOptional, Max, Min, registerDecorator, ValidateIf } from 'class-validator';
import { canonicalId, COUNTRIES, CURRENCIES, MAX_AMOUNT_CENTS, MIN_AMOUNT_CENTS } from '#libs/domain';
import { ReadAs } from './as-sent';

interface Presence {
  /** May be left out. */
  optional?: boolean;
  /** May be null, which clears it. */
  nullable?: boolean;
}

function presence({ optional, nullable }: Presence): PropertyDecorator {
  if (optional && nullable) return IsOptional();
  if (optional) return ValidateIf((_, value) => value !== undefined);
  if (nullable) return ValidateIf((_, value) => value !== null);
  return () => undefined;
}

/** A check with a sentence of its own: the message follows the field's path. */
export function Check(accepts: (value: unknown) => boolean, message: string): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: `check:${message}`,
      target: target.constructor,
      propertyName: propertyName as string,
      validator: { validate: accepts, defaultMessage: () => message },
    });
}

/** Characters that Postgres cannot store, or would store as something else; in a body they were refused before. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

const lengthIn = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' &&
  value.length >= min &&
  value.length <= 2 * max &&
  !UNSTORABLE.test(value) &&
  isBetween(charactersOf(value), min, max);

const isBetween = (number: number, min: number, max: number): boolean => number >= min && number <= max;

/** Two units of UTF-16 may be one character. */
function charactersOf(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? [...text].length : text.length;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && EMAIL.test(value) && !/^\.|\.\.|\.@/.test(value);

type Docs = Presence & Omit<ApiPropertyOptions, 'type' | 'required'>;

function field(options: Docs, api: ApiPropertyOptions, ...checks: PropertyDecorator[]): PropertyDecorator {
  const { optional, nullable, ...docs } = options;
  const described = { ...api, ...docs, required: !optional, ...(nullable ? { nullable } : {}) } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(described), presence({ optional, nullable }), ...checks);
}

/** Free text, kept as sent. */
export function Text(min: number, max: number, options: Docs = {}): PropertyDecorator {
  return field(
    options,
    { type: String, minLength: min, maxLength: max },
    Check((value) => lengthIn(value, min, max), `must be a string of ${min} to ${max} characters`),
  );
}

/** The caller's own reference to something: any characters but control characters. */
export function Reference(options: Docs = {}): PropertyDecorator {
  return field(
    options,
    { type: String, minLength: 1, maxLength: 255 },
    Check(
      (value) => lengthIn(value, 1, 255) && !CONTROL.test(value as string),
      'must be a string of 1 to 255 characters, without control characters',
    ),
  );
}

export function AmountCents(options: Docs = {}): PropertyDecorator {
  return field(
    { description: 'Integer minor units of the currency.', example: 2500, ...options },
    { type: 'integer', minimum: MIN_AMOUNT_CENTS, maximum: MAX_AMOUNT_CENTS },
    IsInt({ message: 'must be an integer' }),
    Min(MIN_AMOUNT_CENTS, { message: `must be at least ${MIN_AMOUNT_CENTS}` }),
    Max(MAX_AMOUNT_CENTS, { message: `must be at most ${MAX_AMOUNT_CENTS}` }),
  );
}

export function WholeNumber(min: number, max: number, options: Docs = {}): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return field(
    options,
    { type: 'integer', minimum: min, maximum: max },
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

export function CurrencyCode(options: Docs = {}): PropertyDecorator {
  return field(
    { description: 'ISO 4217, upper case.', example: 'USD', ...options },
    { type: String, minLength: 3, maxLength: 3 },
    Check((value) => typeof value === 'string' && CURRENCIES.has(value), 'must be an ISO 4217 code in upper case'),
  );
}

export function CountryCode(options: Docs = {}): PropertyDecorator {
  return applyDecorators(
    ReadAs(upperCased),
    field(
      { description: 'ISO 3166-1 alpha-2.', example: 'US', ...options },
      { type: String, minLength: 2, maxLength: 2 },
      Check((value) => typeof value === 'string' && COUNTRIES.has(value), 'must be an ISO 3166-1 alpha-2 code'),
    ),
  );
}

export function EmailAddress(options: Docs = {}): PropertyDecorator {
  return applyDecorators(
    ReadAs(lowerCased),
    field(
      { example: 'ada@example.com', ...options },
      { type: String, format: 'email', maxLength: 254 },
      Check(isEmail, 'must be one deliverable e-mail address of at most 254 characters'),
    ),
  );
}

/** A language, and how it is written: kept in its usual spelling. */
export function Locale(options: Docs = {}): PropertyDecorator {
  return applyDecorators(
    ReadAs((value) => localeOf(value) ?? value),
    field(
      { description: 'A language tag (BCP 47).', example: 'pt-BR', ...options },
      { type: String, maxLength: LONGEST_LOCALE },
      Check((value) => localeOf(value) === value, 'must be a language tag, such as en or pt-BR'),
    ),
  );
}

const LONGEST_LOCALE = 35;

function localeOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST_LOCALE) return null;
  try {
    return new Intl.Locale(value).toString();
  } catch {
    return null; // that is how Intl says that it is none
  }
}

const canonical = (value: unknown): unknown => (typeof value === 'string' ? (canonicalId(value) ?? value) : value);

/** Ids are compared in one spelling only. */
export function Id(options: Docs = {}): PropertyDecorator {
  return applyDecorators(
    ReadAs(canonical),
    field(
      options,
      { type: String, format: 'uuid' },
      Check((value) => typeof value === 'string' && canonicalId(value) === value, 'must be a UUID'),
    ),
  );
}

/** Several ids; whether one may come twice is the caller's rule. */
export function Ids(most: number, options: Docs = {}): PropertyDecorator {
  return applyDecorators(
    ReadAs((value) => (Array.isArray(value) && value.length <= most ? value.map(canonical) : value)),
    field(
      options,
      { type: [String], format: 'uuid', minItems: 1, maxItems: most } as ApiPropertyOptions,
      Check((value) => isIdList(value, most), `must be a list of 1 to ${most} UUIDs`),
    ),
  );
}

function isIdList(value: unknown, most: number): boolean {
  const isId = (item: unknown): boolean => typeof item === 'string' && canonicalId(item) === item;
  return Array.isArray(value) && value.length >= 1 && value.length <= most && value.every(isId);
}

export function OneOf(words: readonly (string | number)[], options: Docs = {}): PropertyDecorator {
  return field(options, { enum: [...words] }, IsIn([...words], { message: `must be one of ${words.join(', ')}` }));
}

export function Flag(options: Docs = {}): PropertyDecorator {
  return field(
    options,
    { type: Boolean },
    Check((value) => typeof value === 'boolean', 'must be true or false'),
  );
}

const MAX_METADATA = 50;
/** As JSON: lists tell it a hundred times in one answer. */
const METADATA_BYTES = 32_768;

export function Metadata(options: Docs = {}): PropertyDecorator {
  return field(
    {
      description: `Up to ${MAX_METADATA} string values of the caller's, ${METADATA_BYTES / 1024} KiB of JSON in all.`,
      example: { team: 'creators' },
      ...options,
    },
    { type: 'object', additionalProperties: { type: 'string' } },
    IsObject({ message: 'must be an object' }),
    Check(isMetadata, `must hold at most ${MAX_METADATA} values, each a string of at most 500 characters`),
    Check(fits, `must come to at most ${METADATA_BYTES} bytes as JSON`),
  );
}

function isMetadata(value: unknown): boolean {
  const entries = Object.entries((value ?? {}) as object);
  return (
    entries.length <= MAX_METADATA && entries.every(([key, item]) => lengthIn(key, 1, 40) && lengthIn(item, 0, 500))
  );
}

function fits(value: unknown): boolean {
  return typeof value !== 'object' || Buffer.byteLength(JSON.stringify(value ?? {})) <= METADATA_BYTES;
}

/** Letters of other alphabets can become ASCII when their case changes: they stay what they are, and are refused. */
const isAscii = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value);

const upperCased = (value: unknown): unknown => (isAscii(value) ? value.toUpperCase() : value);
const lowerCased = (value: unknown): unknown => (isAscii(value) ? value.toLowerCase() : value);
