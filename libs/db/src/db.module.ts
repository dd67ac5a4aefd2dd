/** Provides the data source (TypeORM's pool), Db on top of it, and what watches the database beside it. */
import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';
import { DatabaseClock } from './database-clock';
import { DatabasePlace, type Failover } from './database-place';
import { DatabaseWatch } from './database-watch';
import { Db } from './db';
import { Signals } from './signals';
import { SingleRunner } from './single-runner';
import { StandingConnection } from './standing-connection';
import { VersionGate } from './version-gate';

const log = new Logger('Database');

@Global()
@Module({})
export class DbModule {
  static forRoot(url: string, poolSize: number, failover: Failover = 'may_lose'): DynamicModule {
    const onPoolError = (error: Error) => log.warn(`database.connection_lost: ${error.message}`);
    const place = new DatabasePlace(failover);
    const options = dataSourceOptions({ url, poolSize, onPoolError, place });
    return {
      module: DbModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 3 })],
      providers: [
        DatabaseClock,
        VersionGate,
        { provide: DatabasePlace, useValue: place },
        { provide: Db, inject: [DataSource], useFactory: (dataSource: DataSource) => new Db(dataSource) },
        {
          provide: SingleRunner,
          inject: [Db, VersionGate],
          useFactory: (db: Db, gate: VersionGate) => new SingleRunner(db, gate),
        },
        { provide: StandingConnection, useFactory: () => new StandingConnection(url) },
        {
          provide: Signals,
          inject: [Db, StandingConnection],
          useFactory: (db: Db, connection: StandingConnection) => new Signals(db, connection),
        },
        {
          provide: DatabaseWatch,
          inject: [Db, VersionGate, StandingConnection, DatabaseClock],
          useFactory: (db: Db, gate: VersionGate, connection: StandingConnection, clock: DatabaseClock) =>
            new DatabaseWatch(connection, db, gate, clock, url),
        },
      ],
      exports: [DatabaseClock, DatabasePlace, Db, DatabaseWatch, Signals, SingleRunner, TypeOrmModule, VersionGate],
    };
  }
}
