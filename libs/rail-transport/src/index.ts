export { heldAgainst } from './held-against';
export { readBaseUrl, readMilliseconds } from './settings';
export { type Answer, type ProviderRequest, type Shape, Transport } from './transport';
