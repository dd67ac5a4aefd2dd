/** The settings that a deployment needs before this rail can be used. */
import type { RailContext, RailSetting } from '#libs/rail-kit';
import { readBaseUrl, readMilliseconds } from '#libs/rail-transport';
import type { AdyenSettings } from './adyen.client';

const LIVE = 'https://balanceplatform-api-live.adyen.com';
const LIVE_ENTITIES = 'https://kyc-live.adyen.com';

export const SETTINGS: readonly RailSetting[] = [
  {
    env: 'CUSTODIAL_B_API_KEY',
    description:
      'API key of an Adyen credential for the balance platform: its account holders, accounts and transfers.',
    required: true,
    secret: true,
  },
  {
    env: 'CUSTODIAL_B_LEM_API_KEY',
    description: "API key of an Adyen credential for legal entities: payees' verification and the links to its pages.",
    required: true,
    secret: true,
  },
  {
    env: 'CUSTODIAL_B_HMAC_KEY',
    description: 'HMAC key of the transfer webhook, in hex; while it is changed the new and the old one, with a comma.',
    required: true,
    secret: true,
    example: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  },
  {
    env: 'CUSTODIAL_B_BALANCE_PLATFORM',
    description: 'Id of the balance platform.',
    required: true,
    secret: false,
  },
  {
    env: 'CUSTODIAL_B_BALANCE_ACCOUNT',
    description: "Id of the platform's own balance account, from which payees are paid.",
    required: true,
    secret: false,
  },
  {
    env: 'CUSTODIAL_B_BASE_URL',
    description: "Adyen's balance platform; its test environment is `https://balanceplatform-api-test.adyen.com`.",
    required: false,
    secret: false,
    default: LIVE,
  },
  {
    env: 'CUSTODIAL_B_LEM_BASE_URL',
    description: "Adyen's legal entities; its test environment is `https://kyc-test.adyen.com`.",
    required: false,
    secret: false,
    default: LIVE_ENTITIES,
  },
  {
    env: 'CUSTODIAL_B_TIMEOUT_MS',
    description: 'How long to wait for one answer of Adyen.',
    required: false,
    secret: false,
    default: '10000',
  },
];

export interface CustodialBSettings extends AdyenSettings {
  balancePlatform: string;
  /** The platform's own. */
  balanceAccount: string;
  hmacKeys: readonly Buffer[];
  mode: 'live' | 'sandbox';
}

export function readSettings(settings: RailContext['settings']): CustodialBSettings {
  const text = (name: string): string => settings[`CUSTODIAL_B_${name}`] ?? '';
  const url = (name: string, usual: string): string => readBaseUrl(`CUSTODIAL_B_${name}`, text(name) || usual);
  const [baseUrl, entitiesUrl] = [url('BASE_URL', LIVE), url('LEM_BASE_URL', LIVE_ENTITIES)];
  return {
    platform: { baseUrl, apiKey: text('API_KEY') },
    entities: { baseUrl: entitiesUrl, apiKey: text('LEM_API_KEY') },
    balancePlatform: text('BALANCE_PLATFORM'),
    balanceAccount: text('BALANCE_ACCOUNT'),
    hmacKeys: readHmacKeys(text('HMAC_KEY')),
    // Its test environment has a host of its own, and so has every simulated one.
    mode: new URL(baseUrl).hostname.endsWith('-live.adyen.com') ? 'live' : 'sandbox',
    timeoutMs: readMilliseconds('CUSTODIAL_B_TIMEOUT_MS', text('TIMEOUT_MS') || '10000'),
  };
}

function readHmacKeys(value: string): Buffer[] {
  const keys = value.split(',').map((key) => key.trim());
  if (keys.some((key) => !/^([0-9a-fA-F]{2}){16,}$/.test(key)))
    throw new Error('CUSTODIAL_B_HMAC_KEY must be a key in hex, or two with a comma between them.');
  return keys.map((key) => Buffer.from(key, 'hex'));
}
