/** Provides the data source (TypeORM's pool) and Db on top of it. */
import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source';
import { Db } from './db';
import { Signals } from './signals';
import { SingleRunner } from './single-runner';

const log = new Logger('Database');

@Global()
@Module({})
export class DbModule {
  static forRoot(url: string, poolSize: number): DynamicModule {
    const onPoolError = (error: Error) => log.warn(`database.connection_lost: ${error.message}`);
    return {
      module: DbModule,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions({ url, poolSize, onPoolError }), retryAttempts: 3 })],
      providers: [
        Db,
        { provide: SingleRunner, inject: [Db], useFactory: (db: Db) => new SingleRunner(db) },
        { provide: Signals, inject: [Db], useFactory: (db: Db) => new Signals(db, url) },
      ],
      exports: [Db, Signals, SingleRunner, TypeOrmModule],
    };
  }
}
