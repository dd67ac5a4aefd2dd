import { runRailConformance } from '#libs/rail-kit/testing';
import { swapRail } from './swap-rail';
import { CANNOT, circleWorld } from './swap-rail.world.fake';

runRailConformance({ definition: swapRail, cannot: CANNOT, world: ({ clock }) => circleWorld(clock) });
