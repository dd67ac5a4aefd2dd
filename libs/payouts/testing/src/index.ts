/** What specs of features above look into. */
export { HeldReads } from '../../src/db/held.reads';
export { ReleaseFunded } from '../../src/use-cases/release-funded';
export { ReleaseHeld } from '../../src/use-cases/release-held';
export { accepted, PAYABLE, refused, ScriptedRail, settled, type SubmitCall } from './scripted-rail';
export { type MoneyWorld, type MoneyWorldOptions, startMoneyWorld } from './world';
