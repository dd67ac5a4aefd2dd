export { askedFault, EVERY_EFFECT } from './asked-fault';
export { type DiskBooks, diskBooks } from './disk-books';
export { EFFECTS, type Effect, type Fault, Faults, NOTICE_EFFECTS, type NoticeEffect } from './faults';
export { type Complaint, ContractWatch } from './contract-watch';
export { NO_SCHEMA, publishedSchema } from './published-schema';
export { type Notice, NoticeSender } from './notice-sender';
export { SandboxClock } from './sandbox-clock';
export { type SandboxAnswer, type SandboxRequest, SandboxServer } from './sandbox-server';
export type { SimulatedProvider } from './simulated-provider';
