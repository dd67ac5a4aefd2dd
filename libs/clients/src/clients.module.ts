/** Our callers: the settings of each client, its keys and its secrets, as every process knows them by now. */
import { Global, Module } from '@nestjs/common';
import { SecretBox } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { ClientRegistry } from './client-registry';
import { ClientReads } from './db/client.reads';
import { ClientStore } from './db/client.store';
import { IssueCredentials } from './use-cases/issue-credentials';
import { KeepClients } from './use-cases/keep-clients';

@Global()
@Module({
  providers: [
    { provide: SecretBox, inject: [CONFIG], useFactory: (config: Config) => new SecretBox(config.masterKeys) },
    ClientReads,
    ClientStore,
    ClientRegistry,
    IssueCredentials,
    KeepClients,
  ],
  exports: [ClientReads, ClientRegistry, IssueCredentials, KeepClients],
})
export class ClientsModule {}
