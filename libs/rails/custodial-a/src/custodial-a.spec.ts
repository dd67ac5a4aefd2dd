import { runRailConformance } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import { CANNOT, CANNOT_VERIFY, stripeWorld } from './custodial-a.world.fake';

runRailConformance({
  definition: custodialA,
  cannot: CANNOT,
  cannotVerify: CANNOT_VERIFY,
  world: ({ clock, whose }) => stripeWorld(clock, undefined, whose),
});
