/** Whether a payee may have to be checked before their money goes on, without asking the rail how they stand. */
import type { Client } from '#libs/clients';
import type { RailTraits } from '#libs/rail-kit';

export const checksPayees = (client: Pick<Client, 'checksPayees'>, traits: RailTraits | null): boolean =>
  client.checksPayees || traits?.checksPayees === 'always';
