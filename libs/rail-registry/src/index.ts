export { AccountCaller } from './account-caller';
export { DestinationCaller } from './destination-caller';
export { PostgresRailStore } from './postgres-rail-store';
export { RailCaller } from './rail-caller';
export { RailHints } from './rail-hints';
export { type BoundAccount, RailIdentity } from './rail-identity';
export { type ClosedLane, LANE_REASONS, type LaneReason, RailLanes } from './rail-lanes';
export { type RegisteredRail, Rails } from './rails';
export { RailsModule } from './rails.module';
