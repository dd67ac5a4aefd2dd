import { networkOf } from './networks';

test.each([
  ['MATIC', 'Polygon'],
  ['ETH-SEPOLIA', 'Ethereum Sepolia'],
  ['SOL-DEVNET', 'Solana Devnet'],
  ['NEW', 'NEW'],
  ['NEW-TESTNET', 'NEW-TESTNET'],
])('%s is called %s', (blockchain, network) => {
  expect(networkOf(blockchain)).toBe(network);
});
