export { accepted, PAYABLE, refused, ScriptedRail, settled, type SubmitCall } from './scripted-rail';
export { type MoneyWorld, type MoneyWorldOptions, startMoneyWorld } from './world';
