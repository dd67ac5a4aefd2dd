import { runRailConformance } from '#libs/rail-kit/testing';
import { custodialB } from './custodial-b';
import { adyenWorld, CANNOT } from './custodial-b.world.fake';

runRailConformance({ definition: custodialB, cannot: CANNOT, world: ({ clock }) => adyenWorld(clock) });
