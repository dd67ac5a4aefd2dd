export { tearDown as default } from './own-backends.mjs';
