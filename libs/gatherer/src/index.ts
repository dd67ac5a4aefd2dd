export { type GatherLimits, Gatherer } from './gatherer';
