export type { CircleState, CircleTransaction, CircleWallet } from './circle-books';
export { CircleSandbox, type CircleSandboxOptions } from './circle-sandbox';
