export { custodialB } from './custodial-b';
