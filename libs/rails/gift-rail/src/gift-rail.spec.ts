import { runRailConformance } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { CANNOT, tremendousWorld } from './gift-rail.world.fake';

runRailConformance({ definition: giftRail, cannot: CANNOT, world: (parts) => tremendousWorld(parts) });
