/** Builds the deployment's rails from their definitions and the settings in the environment. */
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { systemClock } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import type { RailDefinition } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { PostgresRailStore } from './postgres-rail-store';
import { RailCaller } from './rail-caller';
import { RailHints } from './rail-hints';
import { Rails, type RegisteredRail } from './rails';

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
          inject: [CONFIG, Db, RailHints],
          useFactory: (config: Config, db: Db, hints: RailHints) =>
            new Rails(definitions.map((definition) => register(definition, config, db, hints))),
        },
        RailCaller,
      ],
      exports: [Rails, RailCaller, RailHints],
    };
  }
}

function register(definition: RailDefinition, config: Config, db: Db, hints: RailHints): RegisteredRail {
  const settings = Object.fromEntries(
    definition.settings.map(({ env, default: fallback }) => [env, config.environment[env] || fallback || '']),
  );
  const missingSettings = definition.settings
    .filter(({ env, required }) => required && !settings[env])
    .map(({ env }) => env);
  if (missingSettings.length > 0) return { definition, rail: null, missingSettings };
  const rail = definition.create({
    settings,
    store: new PostgresRailStore(db, definition.name),
    clock: systemClock,
    log: log.child({ rail: definition.name }),
    hint: (railKey, inSeconds = 0) => hints.hint(definition.name, railKey, inSeconds),
  });
  return { definition, rail, missingSettings };
}
