export { FairSlots, type SlotLimits } from './fair-slots';
export { FreeFirst, type WaitLimits, type Ways } from './free-first';
export { Turns } from './turns';
export { Batcher, type BatchLimits } from './batcher';
