/** What specs of features above look into. */
export { HeldReads } from '../../src/db/held.reads';
export { ReleaseFunded } from '../../src/use-cases/release-funded';
export { ReleaseHeld } from '../../src/use-cases/release-held';
export { asleep } from './asleep';
export { boundTo } from './bound-to';
export { changeIsDated } from './change-is-dated';
export { clientsLike, copiesOf, earlier, othersLike } from './copies';
export { legsScene } from './legs-scene';
export { loadedPayouts } from './loaded';
export { isRestored } from './restored';
export {
  accepted,
  claimed,
  PAYABLE,
  refused,
  ScriptedRail,
  settled,
  type SubmitCall,
  thenDo,
  waits,
} from './scripted-rail';
export { standsStill, ticksAhead } from './stands-still';
export { timePasses } from './time-passes';
export { type MoneyWorld, type MoneyWorldOptions, startMoneyWorld } from './world';
