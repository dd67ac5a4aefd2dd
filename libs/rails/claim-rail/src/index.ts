export { claimRail } from './claim-rail';
