/** The operators' surface. */
import { Module } from '@nestjs/common';
import { WebhooksModule } from '#libs/webhooks';
import { AuditStore } from './db/audit.store';
import { ClientsController } from './http/clients.controller';
import { OperatorsController } from './http/operators.controller';
import { ProvisionClients } from './use-cases/provision-clients';

@Module({
  imports: [WebhooksModule],
  controllers: [ClientsController, OperatorsController],
  providers: [AuditStore, ProvisionClients],
  exports: [ProvisionClients],
})
export class OperatorModule {}
