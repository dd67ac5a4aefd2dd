import { runRailConformance } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { CANNOT, CANNOT_VERIFY, tremendousWorld } from './gift-rail.world.fake';

runRailConformance({
  definition: giftRail,
  cannot: CANNOT,
  cannotVerify: CANNOT_VERIFY,
  world: (parts) => tremendousWorld(parts),
});
