export type { GatewayEvent, PayeeUpdated, PayoutStatusChanged } from './events';
export { type Answer, GatewayClient, type GatewayClientOptions } from './gateway-client';
export { GatewayError, type GatewayErrorDetails } from './gateway-error';
export type {
  Balance,
  Disbursement,
  DisbursementInput,
  DisbursementQuery,
  Page,
  Payee,
  OnboardingLink,
  OnboardingLinkInput,
  PortalLink,
  PayeeInput,
  PayeeQuery,
  Payout,
  PayoutDetail,
  PayoutInput,
  PayoutPage,
  PayoutQuery,
  PayoutStep,
  PushedRow,
  Readiness,
  RecoveryLink,
  Withdrawal,
} from './resources';
export { type Credentials, type RequestToSign, type SignedHeaders, signRequest } from './sign-request';
export { InvalidWebhook, verifyWebhook, type WebhookHeaders } from './verify-webhook';
