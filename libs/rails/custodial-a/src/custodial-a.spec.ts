import { runRailConformance } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import { CANNOT, stripeWorld } from './custodial-a.world.fake';

runRailConformance({ definition: custodialA, cannot: CANNOT, world: ({ clock }) => stripeWorld(clock) });
