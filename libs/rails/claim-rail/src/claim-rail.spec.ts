import { runRailConformance } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { CANNOT, paypalWorld } from './claim-rail.world.fake';

runRailConformance({
  definition: claimRail,
  cannot: CANNOT,
  world: ({ clock, whose }) => paypalWorld(clock, undefined, whose),
});
