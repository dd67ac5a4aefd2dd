export { mockRail } from './mock';
export { standInRails } from './stand-ins';
