/** Circle's codes of blockchains, as wallet apps and exchanges call them. */
const NAMES: Readonly<Record<string, string>> = {
  APTOS: 'Aptos',
  ARB: 'Arbitrum',
  AVAX: 'Avalanche C-Chain',
  BASE: 'Base',
  ETH: 'Ethereum',
  MATIC: 'Polygon',
  NEAR: 'NEAR',
  OP: 'Optimism',
  SOL: 'Solana',
  UNI: 'Unichain',
};

/** `MATIC-AMOY`: the testnet Amoy of Polygon. What has no name here is called what Circle calls it. */
export function networkOf(blockchain: string): string {
  const [code = '', ...testnet] = blockchain.split('-');
  const name = NAMES[code];
  if (name === undefined) return blockchain;
  return [name, ...testnet.map((word) => word[0] + word.slice(1).toLowerCase())].join(' ');
}
