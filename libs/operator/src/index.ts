export { OperatorModule } from './operator.module';
export { type ProvisionedClient, ProvisionClients } from './use-cases/provision-clients';
