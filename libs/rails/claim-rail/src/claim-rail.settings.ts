/** What a deployment has to say before this rail can be used. */
import type { RailContext, RailSetting } from '#libs/rail-kit';
import { readBaseUrl, readMilliseconds } from '#libs/rail-transport';

const LIVE = 'https://api-m.paypal.com';
/** Where PayPal keeps the certificates that its notices are signed with, by where its API is. */
const CERTIFICATES = new Map([
  [LIVE, 'https://api.paypal.com'],
  ['https://api-m.sandbox.paypal.com', 'https://api.sandbox.paypal.com'],
]);

export const SETTINGS: readonly RailSetting[] = [
  {
    env: 'CLAIM_RAIL_CLIENT_ID',
    description: 'Client id of the PayPal app that pays; it needs the features Payouts and Transaction Search.',
    required: true,
    secret: false,
  },
  { env: 'CLAIM_RAIL_CLIENT_SECRET', description: 'Its secret.', required: true, secret: true },
  {
    env: 'CLAIM_RAIL_WEBHOOK_ID',
    description: "Id of the app's webhook, as PayPal shows it: without it no notice is believed.",
    required: true,
    secret: false,
  },
  {
    env: 'CLAIM_RAIL_BASE_URL',
    description: "PayPal's API: `https://api-m.sandbox.paypal.com` for its own sandbox.",
    required: false,
    secret: false,
    default: LIVE,
  },
  {
    env: 'CLAIM_RAIL_TIMEOUT_MS',
    description: 'How long to wait for an answer of PayPal.',
    required: false,
    secret: false,
    default: '10000',
  },
];

export interface ClaimRailSettings {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  baseUrl: string;
  /** No certificate is fetched from anywhere else. */
  certificatesUrl: string;
  mode: 'live' | 'sandbox';
  timeoutMs: number;
}

export function readSettings(settings: RailContext['settings']): ClaimRailSettings {
  const { CLAIM_RAIL_CLIENT_ID: clientId = '', CLAIM_RAIL_CLIENT_SECRET: clientSecret = '' } = settings;
  const baseUrl = readBaseUrl('CLAIM_RAIL_BASE_URL', settings.CLAIM_RAIL_BASE_URL || LIVE);
  return {
    clientId,
    clientSecret,
    webhookId: settings.CLAIM_RAIL_WEBHOOK_ID ?? '',
    baseUrl,
    certificatesUrl: CERTIFICATES.get(baseUrl) ?? baseUrl,
    mode: baseUrl === LIVE ? 'live' : 'sandbox',
    timeoutMs: readMilliseconds('CLAIM_RAIL_TIMEOUT_MS', settings.CLAIM_RAIL_TIMEOUT_MS || '10000'),
  };
}
