import { FixedClock } from './fixed-clock';
import { memoryRailStores } from './memory-rail-store';
import { runRailStoreConformance } from './rail-store-conformance';

runRailStoreConformance(memoryRailStores(new FixedClock()));
