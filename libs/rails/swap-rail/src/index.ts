export { swapRail } from './swap-rail';
