/** Every rail of this deployment, one line each. The core finds them by name and asks only for their traits. */
export { claimRail } from '#libs/rails/claim-rail';
export { custodialA } from '#libs/rails/custodial-a';
export { custodialB } from '#libs/rails/custodial-b';
export { giftRail } from '#libs/rails/gift-rail';
export { mockRail } from '#libs/rails/mock';
export { swapRail } from '#libs/rails/swap-rail';
// npm run new-rail adds its line above this one.
