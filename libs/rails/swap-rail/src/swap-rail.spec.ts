import { runRailConformance } from '#libs/rail-kit/testing';
import { swapRail } from './swap-rail';
import { CANNOT, CANNOT_VERIFY, circleWorld } from './swap-rail.world.fake';

runRailConformance({
  definition: swapRail,
  cannot: CANNOT,
  cannotVerify: CANNOT_VERIFY,
  world: ({ clock, whose }) => circleWorld(clock, undefined, whose),
});
