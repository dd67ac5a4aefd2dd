export { PostgresRailStore } from './postgres-rail-store';
export { RailCaller } from './rail-caller';
export { RailHints } from './rail-hints';
export { type RegisteredRail, Rails } from './rails';
export { RailsModule } from './rails.module';
