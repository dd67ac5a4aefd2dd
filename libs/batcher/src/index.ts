export { Batcher, type BatchLimits } from './batcher';
export { FairSlots, type SlotLimits } from './fair-slots';
export { FreeFirst, type WaitLimits, type Ways } from './free-first';
export { Lanes } from './lanes';
export { Portions, type PortionLimits } from './portions';
export { SharedReads } from './shared-reads';
export { type Patience, Turns } from './turns';
