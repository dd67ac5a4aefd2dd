// What whoever decides about money has to have read before they decide, and says with it.
import { call, list } from './service.mjs';
import { UsageError } from './usage-error.mjs';

/** Who decides about money says what its rail had said of it when they decided: it may say otherwise by now. null: it said nothing. */
export async function saidUnread(id) {
  const { said } = await call('GET', `/drift/${id}`);
  if (said)
    throw new UsageError(`Its rail said last of that money: ${said}. Say --said ${said} if you decide about that.`);
  return null;
}

/** Since when a rail is waited for, which whoever compared by hand has read before. undefined: it is not. */
export async function awaitedUnread(name) {
  const rail = (await list('/rails')).find((one) => one.name === name);
  if (rail?.awaitedSince)
    throw new UsageError(
      `Rail ${name} is waited for since ${rail.awaitedSince}. Say --since ${rail.awaitedSince} if you had read that before you compared.`,
    );
  return undefined;
}
