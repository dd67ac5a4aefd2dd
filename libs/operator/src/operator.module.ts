/** The operators' surface. */
import { Module } from '@nestjs/common';
import { WebhooksModule } from '#libs/webhooks';
import { AuditReads } from './db/audit.reads';
import { AuditStore } from './db/audit.store';
import { ClientsController } from './http/clients.controller';
import { OperatorsController } from './http/operators.controller';
import { NameOperators } from './use-cases/name-operators';
import { ProvisionClients } from './use-cases/provision-clients';

@Module({
  imports: [WebhooksModule],
  controllers: [ClientsController, OperatorsController],
  providers: [AuditReads, AuditStore, NameOperators, ProvisionClients],
  exports: [ProvisionClients],
})
export class OperatorModule {}
