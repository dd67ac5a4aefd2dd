/** The settings that a deployment needs before this rail can be used. */
import type { RailContext, RailSetting } from '#libs/rail-kit';
import { readBaseUrl, readMilliseconds } from '#libs/rail-transport';

const LIVE = 'https://api.circle.com';
const FEE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'];
const ACCOUNT_TYPES = ['SCA', 'EOA'];

export const SETTINGS: readonly RailSetting[] = [
  {
    env: 'SWAP_RAIL_API_KEY',
    description: 'API key of the Circle entity that pays, as Circle shows it: `LIVE_API_KEY:…` or `TEST_API_KEY:…`.',
    required: true,
    secret: true,
  },
  {
    env: 'SWAP_RAIL_ENTITY_SECRET',
    description: 'Entity secret that is registered with Circle: 64 hexadecimal digits.',
    required: true,
    secret: true,
    example: '0'.repeat(64),
  },
  {
    env: 'SWAP_RAIL_TREASURY_WALLET_ID',
    description:
      'Id of the developer-controlled wallet that payouts are paid from. Its blockchain is that of all wallets.',
    required: true,
    secret: false,
  },
  {
    env: 'SWAP_RAIL_TOKEN_ID',
    description: "Circle's id of USDC on that blockchain, as its console shows it.",
    required: true,
    secret: false,
  },
  {
    env: 'SWAP_RAIL_WALLET_SET_ID',
    description: 'Wallet set in which payees get their wallets; that of the treasury unless set.',
    required: false,
    secret: false,
  },
  {
    env: 'SWAP_RAIL_ACCOUNT_TYPE',
    description: "What payees' wallets are: `SCA` (gas by Circle's Gas Station) or `EOA`.",
    required: false,
    secret: false,
    default: 'SCA',
    example: 'EOA',
  },
  {
    env: 'SWAP_RAIL_FEE_LEVEL',
    description: 'How fast the blockchain is paid to be: `LOW`, `MEDIUM` or `HIGH`.',
    required: false,
    secret: false,
    default: 'MEDIUM',
    example: 'HIGH',
  },
  {
    env: 'SWAP_RAIL_BASE_URL',
    description: "Circle's API. Its testnets have the same address: the key says which ones they are.",
    required: false,
    secret: false,
    default: LIVE,
  },
  {
    env: 'SWAP_RAIL_TIMEOUT_MS',
    description: 'How long to wait for one answer of Circle.',
    required: false,
    secret: false,
    default: '10000',
  },
];

export interface SwapRailSettings {
  apiKey: string;
  entitySecret: string;
  treasuryWalletId: string;
  tokenId: string;
  /** null: that of the treasury. */
  walletSetId: string | null;
  accountType: string;
  feeLevel: string;
  baseUrl: string;
  mode: 'live' | 'sandbox';
  timeoutMs: number;
}

export function readSettings(settings: RailContext['settings']): SwapRailSettings {
  const { SWAP_RAIL_API_KEY: apiKey = '', SWAP_RAIL_ENTITY_SECRET: entitySecret = '' } = settings;
  if (!/^[0-9a-f]{64}$/i.test(entitySecret))
    throw new Error('SWAP_RAIL_ENTITY_SECRET must be 64 hexadecimal digits, as it was registered with Circle.');
  return {
    apiKey,
    entitySecret,
    treasuryWalletId: settings.SWAP_RAIL_TREASURY_WALLET_ID ?? '',
    tokenId: settings.SWAP_RAIL_TOKEN_ID ?? '',
    walletSetId: settings.SWAP_RAIL_WALLET_SET_ID || null,
    accountType: oneOf('SWAP_RAIL_ACCOUNT_TYPE', settings.SWAP_RAIL_ACCOUNT_TYPE || 'SCA', ACCOUNT_TYPES),
    feeLevel: oneOf('SWAP_RAIL_FEE_LEVEL', settings.SWAP_RAIL_FEE_LEVEL || 'MEDIUM', FEE_LEVELS),
    baseUrl: readBaseUrl('SWAP_RAIL_BASE_URL', settings.SWAP_RAIL_BASE_URL || LIVE),
    mode: apiKey.startsWith('LIVE_API_KEY:') ? 'live' : 'sandbox',
    timeoutMs: readMilliseconds('SWAP_RAIL_TIMEOUT_MS', settings.SWAP_RAIL_TIMEOUT_MS || '10000'),
  };
}

function oneOf(env: string, value: string, words: readonly string[]): string {
  if (words.includes(value)) return value;
  throw new Error(`${env} must be one of ${words.join(', ')}.`);
}
