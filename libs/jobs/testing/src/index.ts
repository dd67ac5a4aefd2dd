export { idleHandlers } from './idle-handlers';
