export { standInRails } from './stand-ins';
