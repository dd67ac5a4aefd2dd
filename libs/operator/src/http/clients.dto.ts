import { ApiProperty } from '@nestjs/swagger';
import {
  AUTO_RELEASED,
  type AutoReleased,
  EVENT_TYPES,
  type EventType,
  SCOPES,
  type Scope,
  STATUS_VERSIONS,
  type StatusVersion,
} from '#libs/domain';
import {
  type Brand,
  type Client,
  CLIENT_STATUSES,
  type ClientStatus,
  isBrandColor,
  type WithdrawLimits,
  type WithdrawPolicy,
} from '#libs/clients';
import { Check, CurrencyCode, Flag, Id, isEmail, Limit, Locale, OneOf, Text, WholeNumber } from '#libs/http-kit';
import { IsOptional, IsString } from 'class-validator';

const optional = { optional: true } as const;
const CENTS = 100_000_000_000;
const RAIL = /^[a-z][a-z0-9_]{1,30}$/;
const MOST_RAILS = 50;

const isRail = (value: unknown): boolean => typeof value === 'string' && RAIL.test(value);

const isListOf = (words: readonly string[]) => (value: unknown) =>
  Array.isArray(value) &&
  value.length <= words.length &&
  value.every((word) => words.includes(word as string)) &&
  new Set(value).size === value.length;

const isCents = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= CENTS;

const isObjectOf = (accepts: (key: string, value: unknown) => boolean) => (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(([key, item]) => accepts(key, item));

const isFloors = isObjectOf((rail, value) => isRail(rail) && isCents(value));

const isPolicy = isObjectOf((key, value) =>
  key === 'perSource'
    ? isObjectOf((source, policy) => ['withdraw', 'portal'].includes(source) && isPolicyValues(policy))(value)
    : isPolicyValue(key, value),
);
const isPolicyValues = isObjectOf(isPolicyValue);

function isPolicyValue(key: string, value: unknown): boolean {
  if (key === 'enabled') return typeof value === 'boolean';
  return ['minCents', 'maxCents', 'minIntervalSeconds'].includes(key) && isCents(value);
}

const LONGEST_LOGO = 2_000;

/** Its host stands in the policy of the pages. */
const isLogo = (url: URL | null): boolean => url?.protocol === 'https:' && /^[a-z0-9._-]+$/.test(url.hostname);

const isBrand = isObjectOf((key, value) => {
  if (typeof value !== 'string') return false;
  if (key === 'name') return value.trim().length > 0 && value.length <= 100;
  if (key === 'logo') return value.length <= LONGEST_LOGO && isLogo(URL.parse(value));
  if (key === 'color') return isBrandColor(value);
  return key === 'supportEmail' && isEmail(value);
});

/** For every source, with its own values before the general ones; what is no policy is complained about elsewhere. */
function leavesRoom(value: unknown): boolean {
  if (!isPolicy(value)) return true;
  const { perSource = {}, ...general } = value as WithdrawPolicy;
  return [{}, ...Object.values(perSource)].every((own) => {
    const { minCents = 0, maxCents = CENTS }: WithdrawLimits = { ...general, ...own };
    return minCents <= maxCents;
  });
}

function Optional(
  accepts: (value: unknown) => boolean,
  message: string,
  type: 'array' | 'object',
  { nullable = false, ...docs }: { nullable?: boolean; description?: string; example?: unknown } = {},
): PropertyDecorator {
  const items = type === 'array' ? { items: { type: 'string' as const } } : { additionalProperties: true };
  return (target, property) => {
    ApiProperty({ type, ...items, required: false, nullable, ...docs } as never)(target, property as string);
    Check((value) => value === undefined || (nullable && value === null) || accepts(value), message)(target, property);
  };
}

const CHECKS =
  'Its payees are checked by their rail before money that waits in a wallet of theirs goes on. Nobody is paid over a rail that cannot. Default: where the rail itself wants it.';

class ClientSettingsBody {
  @OneOf(CLIENT_STATUSES, optional) status?: ClientStatus;
  @Flag({ ...optional, description: 'Fixed when the client is made.', example: true }) testMode?: boolean;
  @OneOf(STATUS_VERSIONS, { ...optional, description: 'The status words it reads.' }) statusVersion?: StatusVersion;
  @Optional(isListOf(SCOPES), `must be a list of ${SCOPES.join(', ')}`, 'array', {
    description: `Of ${SCOPES.join(', ')}. Default: all but webhooks:write and keys:write.`,
  })
  scopes?: Scope[];
  @Text(1, 2000, { ...optional, nullable: true, example: 'https://studio.example.com/hooks' })
  webhookUrl?: string | null;
  @Optional(isListOf(EVENT_TYPES), `must be a list of ${EVENT_TYPES.join(', ')}`, 'array', {
    description: `Of ${EVENT_TYPES.join(', ')}. Others are recorded and not sent. Default: all.`,
  })
  eventTypes?: EventType[];
  @Optional(
    (value) => Array.isArray(value) && value.length <= MOST_RAILS && value.every(isRail),
    `must be a list of at most ${MOST_RAILS} rails, or null for all`,
    'array',
    { nullable: true, description: 'null: every rail.' },
  )
  railAllowList?: string[] | null;
  @Flag({ ...optional, description: 'Pays from a wallet.' }) prepaid?: boolean;
  @CurrencyCode(optional) defaultCurrency?: string;
  @Optional(
    isObjectOf((key, value) => ['singleCents', 'dailyCents'].includes(key) && isCents(value)),
    'must hold singleCents and dailyCents at most',
    'object',
    { description: 'singleCents, dailyCents; what is left out is the default of the deployment.' },
  )
  caps?: { singleCents?: number; dailyCents?: number };
  @Optional(
    (value) => isFloors(value) && Object.keys(value as object).length <= MOST_RAILS,
    `must hold a number of cents for each rail, and at most ${MOST_RAILS}`,
    'object',
    { description: 'Cents for each rail; what is left out is the floor of the rail.' },
  )
  floors?: Record<string, number>;
  @Optional(isPolicy, 'must hold enabled, minCents, maxCents, minIntervalSeconds and perSource at most', 'object', {
    description: 'enabled, minCents, maxCents, minIntervalSeconds, and the same under perSource.withdraw and .portal.',
  })
  @Check(leavesRoom, 'must not have a minCents above the maxCents that counts with it')
  withdrawPolicy?: WithdrawPolicy;
  @WholeNumber(1, 10_000_000, { ...optional, nullable: true, description: 'null: the default of the deployment.' })
  rateLimitPerMinute?: number | null;
  @Flag({ ...optional, description: 'Refuse signatures of version 1.' }) requireSignatureV2?: boolean;
  @WholeNumber(0, 31_536_000, { ...optional, nullable: true, description: 'Default: a day, none in test mode.' })
  coolDownSeconds?: number | null;
  @Locale({ ...optional, nullable: true, description: 'Of its payees who do not say theirs (BCP 47). null: English.' })
  locale?: string | null;
  @Optional(
    isBrand,
    'must hold name, logo (an https address), color (#rrggbb, dark enough for white text) and supportEmail at most',
    'object',
    {
      description: 'How it shows itself to its payees: name, logo, color, supportEmail.',
      example: { color: '#1f5eff' },
    },
  )
  brand?: Brand;
  @Optional(isListOf(AUTO_RELEASED), `must be a list of ${AUTO_RELEASED.join(', ')}`, 'array', {
    description: `Held payouts that go on by themselves once the cause is gone: of ${AUTO_RELEASED.join(', ')}. Default: none.`,
    example: ['not_payable', 'missing_name'],
  })
  autoRelease?: AutoReleased[];
  @Optional(
    isObjectOf((key, value) => ['payoutReturned', 'payoutNeedsYou'].includes(key) && typeof value === 'boolean'),
    'must hold payoutReturned and payoutNeedsYou at most, each true or false',
    'object',
    {
      description: 'Mails to payees that can be switched off: payoutReturned, payoutNeedsYou. Default: sent.',
      example: { payoutReturned: false },
    },
  )
  mails?: Client['mails'];
  @Flag({ ...optional, description: CHECKS, example: true }) checksPayees?: boolean;
}

export class CreateClientBody extends ClientSettingsBody {
  @Text(1, 200, { example: 'Example Studio' }) name: string;
  @Id({
    ...optional,
    description:
      'Only for a client that a restored database has lost: the id it had. The codes by which rails know its payments are made of it, so that what it sends again is paid once. Default: a new one.',
  })
  id?: string;
}

export class UpdateClientBody extends ClientSettingsBody {
  @Text(1, 200, { ...optional, example: 'Example Studio' }) name?: string;
}

export class OverlapBody {
  @WholeNumber(0, 2_592_000, { ...optional, description: 'How long the old one works on. Default 0.', example: 86400 })
  overlapSeconds?: number;
}

export class ListQuery {
  @Limit() limit?: number;
  @ApiProperty({ required: false, description: 'nextCursor of the page before.' })
  @IsOptional()
  @IsString({ message: 'must be sent once' })
  cursor?: string;
}
