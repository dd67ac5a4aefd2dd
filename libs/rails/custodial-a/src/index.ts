export { custodialA } from './custodial-a';
