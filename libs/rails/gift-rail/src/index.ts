export { giftRail } from './gift-rail';
