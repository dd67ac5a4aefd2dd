export { standInRails, unlistedStandIn } from './stand-ins';
