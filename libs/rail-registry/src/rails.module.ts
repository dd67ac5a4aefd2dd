/** Builds the deployment's rails from their definitions and the settings in the environment. */
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { DatabaseClock, Db } from '#libs/db';
import { type RailClock, type RailDefinition, traitsOf } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { AccountCaller } from './account-caller';
import { DestinationCaller } from './destination-caller';
import { PayeeCheckCaller } from './payee-check-caller';
import { PayeeLinkCaller } from './payee-link-caller';
import { PostgresRailStore } from './postgres-rail-store';
import { RailCaller } from './rail-caller';
import { RailHints } from './rail-hints';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import { Rails, type RegisteredRail } from './rails';
import { refuseUnsafe } from './safe-settings';
import { UnheardOfRails } from './unheard-of-rails';
import { VerifyRailsJob } from './verify-rails.job';

@Global()
@Module({})
export class RailsModule {
  static forRoot(definitions: RailDefinition[]): DynamicModule {
    return {
      module: RailsModule,
      providers: [
        RailHints,
        {
          provide: Rails,
          inject: [CONFIG, Db, RailHints, DatabaseClock],
          useFactory: (config: Config, db: Db, hints: RailHints, databaseClock: DatabaseClock) => {
            // What rails count minutes of must not be over before its time, whatever a machine's clock says, here or where it was sent.
            const clock: RailClock = { now: () => databaseClock.earliestForDoubt(), latest: () => databaseClock.now() };
            const parts = { config, db, hints, clock };
            return new Rails(
              definitions.map((definition) => register(definition, parts)),
              config.deployment,
            );
          },
        },
        RailLanes,
        RailPauses,
        RailIdentity,
        UnheardOfRails,
        RailCaller,
        AccountCaller,
        DestinationCaller,
        PayeeLinkCaller,
        PayeeCheckCaller,
        VerifyRailsJob,
      ],
      exports: [
        ...[Rails, RailCaller, AccountCaller, DestinationCaller, PayeeLinkCaller, PayeeCheckCaller],
        ...[RailHints, RailIdentity, RailLanes, UnheardOfRails],
      ],
    };
  }
}

interface Parts {
  config: Config;
  db: Db;
  hints: RailHints;
  clock: RailClock;
}

function register(definition: RailDefinition, { config, db, hints, clock }: Parts): RegisteredRail {
  const settings = Object.fromEntries(
    definition.settings.map(({ env, default: fallback }) => [env, config.environment[env] || fallback || '']),
  );
  refuseUnsafe(definition, settings, config.production);
  const missingSettings = definition.settings
    .filter(({ env, required }) => required && !settings[env])
    .map(({ env }) => env);
  if (missingSettings.length > 0) return { definition, traits: definition.traits, rail: null, missingSettings };
  const rail = definition.create({
    settings,
    store: new PostgresRailStore(db, definition.name),
    clock,
    log: log.child({ rail: definition.name }),
    deployment: config.deployment,
    hint: (railKey, inSeconds = 0) => hints.hint(definition.name, railKey, inSeconds),
  });
  return { definition, traits: traitsOf(definition, settings), rail, missingSettings };
}
