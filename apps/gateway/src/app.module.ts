/** The whole service, wired once for every role. */
import { type DynamicModule, Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuthModule } from '#libs/auth';
import { ClientsModule } from '#libs/clients';
import { ClockModule } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';
import { DbModule } from '#libs/db';
import { DisbursementsModule } from '#libs/disbursements';
import { EventsModule } from '#libs/events';
import { HttpKitModule } from '#libs/http-kit';
import { JobsModule } from '#libs/jobs';
import { OperatorModule } from '#libs/operator';
import { PayeesModule } from '#libs/payees';
import { PayoutsModule } from '#libs/payouts';
import { PortalModule } from '#libs/portal';
import type { RailDefinition } from '#libs/rail-kit';
import { RailsModule } from '#libs/rail-registry';
import { ReconciliationModule } from '#libs/reconciliation';
import { TestClockModule } from '#libs/test-clock';
import { TestPayoutsModule } from '#libs/test-payouts';
import { WalletsModule } from '#libs/wallets';
import { WebhooksModule } from '#libs/webhooks';
import { Connections } from './connections';
import { HealthController } from './health.controller';
import * as rails from './rails';
import { Readiness } from './readiness';
import { SHARES } from './stop';
import { Stopping } from './stopping';
import { VersionEdge } from './version-edge';

/** A configuration whose database is known, be it given or embedded. */
export type ResolvedConfig = Config & { databaseUrl: string };

@Global()
@Module({})
class ConfigModule {
  static of(config: ResolvedConfig): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] };
  }
}

@Module({})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(VersionEdge).forRoutes('{*path}');
  }

  static forRoot(config: ResolvedConfig, definitions: RailDefinition[] = Object.values(rails)): DynamicModule {
    const works = config.role !== 'api';
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        ScheduleModule.forRoot({ intervals: works }),
        DbModule.forRoot(config.databaseUrl, config.databasePool, config.databaseFailover),
        JobsModule.forRoot({
          redisUrl: config.redisUrl,
          works,
          stopWithinMs: config.stopGraceSeconds * 1_000 * SHARES.jobs,
        }),
        ClockModule,
        EventsModule,
        HttpKitModule,
        ClientsModule,
        AuthModule,
        RailsModule.forRoot(definitions),
        WebhooksModule,
        PayeesModule,
        WalletsModule,
        PayoutsModule,
        TestPayoutsModule,
        ReconciliationModule,
        TestClockModule,
        DisbursementsModule,
        PortalModule,
        OperatorModule,
      ],
      controllers: [HealthController],
      providers: [Readiness, Connections, Stopping],
    };
  }
}
