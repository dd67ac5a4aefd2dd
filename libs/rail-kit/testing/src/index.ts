export { runRailConformance } from './conformance';
export { FixedClock } from './fixed-clock';
export type { HistorySubject, HistoryWorld } from './histories/history';
export { runRailHistories } from './histories/histories';
export { type LoopbackServer, readBody, startLoopbackServer } from './loopback-server';
export { memoryRailStores } from './memory-rail-store';
export { testOrder } from './order';
export { runRailStoreConformance } from './rail-store-conformance';
export { RecordingLog } from './recording-log';
export { ON_A_PAGE, REST_SECONDS, UNKNOWN_WORD } from './subject';
export type {
  AccountEvent,
  AccountsWorld,
  CheckEvent,
  HeldFunds,
  OpeningOutcome,
  ProviderEvent,
  ProviderMovement,
  ProviderOutcome,
  RailNotice,
  RailSubject,
  RailWorld,
  WorldParts,
} from './subject';
