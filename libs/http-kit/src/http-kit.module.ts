/** What every HTTP surface of the service shares. */
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ErrorFilter } from './error.filter';
import { RouteTable } from './route-table';
import { validationPipe } from './validation';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    RouteTable,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useValue: validationPipe },
  ],
  exports: [RouteTable],
})
export class HttpKitModule {}
