import { runRailConformance } from '#libs/rail-kit/testing';
import { custodialB } from './custodial-b';
import { adyenWorld, CANNOT, CANNOT_VERIFY } from './custodial-b.world.fake';

runRailConformance({
  definition: custodialB,
  cannot: CANNOT,
  cannotVerify: CANNOT_VERIFY,
  world: ({ clock, whose }) => adyenWorld(clock, undefined, whose),
});
