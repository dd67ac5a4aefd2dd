export { FairSlots, type SlotLimits } from './fair-slots';
export { Turns } from './turns';
export { Gatherer, type GatherLimits } from './gatherer';
