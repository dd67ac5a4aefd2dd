export type { AdyenAccount, AdyenHolder, AdyenState, AdyenTransfer } from './adyen-books';
export { AdyenSandbox, type AdyenSandboxOptions } from './adyen-sandbox';
