export type { TremendousOrder } from './tremendous-books';
export { TremendousSandbox, type TremendousSandboxOptions } from './tremendous-sandbox';
