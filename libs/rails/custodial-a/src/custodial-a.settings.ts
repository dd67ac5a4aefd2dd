/** The settings that a deployment needs before this rail can be used. */
import type { RailContext, RailSetting } from '#libs/rail-kit';
import { readBaseUrl, readMilliseconds } from '#libs/rail-transport';

const LIVE = 'https://api.stripe.com';

export const SETTINGS: readonly RailSetting[] = [
  {
    env: 'CUSTODIAL_A_SECRET_KEY',
    description:
      'Secret key of the Stripe platform account; a restricted one needs Connect, Transfers, Payouts, Balance and Events.',
    required: true,
    secret: true,
  },
  {
    env: 'CUSTODIAL_A_WEBHOOK_SECRET',
    description: "Signing secret of the webhook for events of the platform's own account.",
    required: true,
    secret: true,
  },
  {
    env: 'CUSTODIAL_A_CONNECT_WEBHOOK_SECRET',
    description: 'Signing secret of the webhook for events of connected accounts.',
    required: true,
    secret: true,
  },
  {
    env: 'CUSTODIAL_A_CROSS_BORDER',
    description:
      "Countries that the platform pays to across borders, each with its currency, such as `IS:ISK,IN:INR`: accounts there are opened under Stripe's recipient agreement.",
    required: false,
    secret: false,
    default: '',
    example: 'IS:ISK',
  },
  {
    env: 'CUSTODIAL_A_BASE_URL',
    description: "Stripe's API. Its test mode has the same address: the key says which one it is.",
    required: false,
    secret: false,
    default: LIVE,
  },
  {
    env: 'CUSTODIAL_A_TIMEOUT_MS',
    description: 'How long to wait for one answer of Stripe.',
    required: false,
    secret: false,
    default: '10000',
  },
];

export interface CustodialASettings {
  secretKey: string;
  /** Of the platform's webhook, and of the one for connected accounts. */
  webhookSecrets: readonly string[];
  /** Country and currency. */
  crossBorder: ReadonlyMap<string, string>;
  baseUrl: string;
  mode: 'live' | 'sandbox';
  timeoutMs: number;
}

export function readSettings(settings: RailContext['settings']): CustodialASettings {
  const { CUSTODIAL_A_SECRET_KEY: secretKey = '' } = settings;
  const { CUSTODIAL_A_WEBHOOK_SECRET: own = '', CUSTODIAL_A_CONNECT_WEBHOOK_SECRET: connected = '' } = settings;
  return {
    secretKey,
    webhookSecrets: [own, connected],
    crossBorder: readCrossBorder(settings.CUSTODIAL_A_CROSS_BORDER ?? ''),
    baseUrl: readBaseUrl('CUSTODIAL_A_BASE_URL', settings.CUSTODIAL_A_BASE_URL || LIVE),
    // Restricted keys begin with rk_.
    mode: /^[rs]k_live_/.test(secretKey) ? 'live' : 'sandbox',
    timeoutMs: readMilliseconds('CUSTODIAL_A_TIMEOUT_MS', settings.CUSTODIAL_A_TIMEOUT_MS || '10000'),
  };
}

export function readCrossBorder(value: string): Map<string, string> {
  const pairs = value.split(',').flatMap((pair) => pair.trim() || []);
  return new Map(
    pairs.map((pair): [string, string] => {
      const [, country = '', currency = ''] = /^([A-Z]{2}):([A-Z]{3})$/.exec(pair) ?? [];
      if (country === '')
        throw new Error('CUSTODIAL_A_CROSS_BORDER must name countries and their currencies, such as IS:ISK,IN:INR.');
      return [country, currency];
    }),
  );
}
