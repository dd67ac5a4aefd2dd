/** The settings that a deployment needs before this rail can be used. */
import type { RailContext, RailSetting } from '#libs/rail-kit';
import { readBaseUrl, readMilliseconds } from '#libs/rail-transport';

const LIVE = 'https://api.tremendous.com';

export const SETTINGS: readonly RailSetting[] = [
  { env: 'GIFT_RAIL_API_KEY', description: 'API key of the Tremendous organisation.', required: true, secret: true },
  {
    env: 'GIFT_RAIL_CAMPAIGN_ID',
    description: 'Id of the campaign that says what payees can choose from, and how it looks.',
    required: true,
    secret: false,
  },
  {
    env: 'GIFT_RAIL_WEBHOOK_KEY',
    description: "Private key of the organisation's webhook: without it no notice is believed.",
    required: true,
    secret: true,
  },
  {
    env: 'GIFT_RAIL_BASE_URL',
    description: "Tremendous's API: `https://testflight.tremendous.com` for its own sandbox.",
    required: false,
    secret: false,
    default: LIVE,
  },
  {
    env: 'GIFT_RAIL_TIMEOUT_MS',
    description: 'How long to wait for an answer of Tremendous.',
    required: false,
    secret: false,
    default: '10000',
  },
];

export interface GiftRailSettings {
  apiKey: string;
  campaignId: string;
  webhookKey: string;
  baseUrl: string;
  mode: 'live' | 'sandbox';
  timeoutMs: number;
}

export function readSettings(settings: RailContext['settings']): GiftRailSettings {
  const baseUrl = readBaseUrl('GIFT_RAIL_BASE_URL', settings.GIFT_RAIL_BASE_URL || LIVE);
  return {
    apiKey: settings.GIFT_RAIL_API_KEY ?? '',
    campaignId: settings.GIFT_RAIL_CAMPAIGN_ID ?? '',
    webhookKey: settings.GIFT_RAIL_WEBHOOK_KEY ?? '',
    baseUrl,
    mode: baseUrl === LIVE ? 'live' : 'sandbox',
    timeoutMs: readMilliseconds('GIFT_RAIL_TIMEOUT_MS', settings.GIFT_RAIL_TIMEOUT_MS || '10000'),
  };
}
