export type { StripePayout, StripeState, StripeTransfer } from './stripe-books';
export { StripeSandbox, type StripeSandboxOptions } from './stripe-sandbox';
