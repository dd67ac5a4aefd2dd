export type { StripeAccount, StripePayout, StripeState, StripeTransfer } from './stripe-books';
export { StripeSandbox, type StripeSandboxOptions } from './stripe-sandbox';
export { decodedForm } from './stripe-words';
