export { mockRail } from './mock';
