export { FairSlots, type SlotLimits } from './fair-slots';
export { Gatherer, type GatherLimits } from './gatherer';
