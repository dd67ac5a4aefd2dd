export { type PaypalPayment, type PaypalState } from './paypal-books';
export { PaypalSandbox, type PaypalSandboxOptions } from './paypal-sandbox';
