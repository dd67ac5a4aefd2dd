/** A wallet for each payee, known by the payee's id. It is looked for before it is made, and made under a key that is kept first. */
import type { RailStore } from '#libs/rail-kit';
import type { CircleAnswer, CircleClient } from './circle.client';
import type { Wallet } from './circle.shapes';
import { idempotencyKeyOf } from './idempotency-key';
import type { Place } from './treasury';

export type KnownWallet = Pick<Wallet, 'id' | 'address'>;

// A type and not an interface: only that is a record of the store.
type Kept = { key: string; id: string | null; address: string | null };

/** So many are remembered; of a wallet neither address nor id ever changes. */
const MOST_KNOWN = 10_000;

export class Wallets {
  private readonly byAddress = new Map<string, KnownWallet>();

  constructor(
    private readonly client: CircleClient,
    private readonly store: RailStore,
  ) {}

  /** null: the payee has none, and so was never sent anything. */
  async known(payeeId: string, place: Place, signal?: AbortSignal): Promise<CircleAnswer<KnownWallet | null>> {
    const kept = walletIn(await this.store.read<Kept>(keyOf(payeeId, place)));
    if (kept) return { kind: 'done', found: kept };
    const answer = await this.listed(payeeId, place, signal);
    if (answer.kind === 'done' && answer.found) await this.keep(payeeId, place, answer.found);
    return answer;
  }

  /** As it stands now. Whoever has none that is known is made one. */
  async opened(payeeId: string, place: Place, signal?: AbortSignal): Promise<CircleAnswer<Wallet>> {
    const record = await this.store.claim<Kept>(keyOf(payeeId, place), unopened(payeeId, place));
    if (record.id !== null) return this.read(record.id, signal);
    const answer = await this.made(record, payeeId, place, signal);
    if (answer.kind === 'done') await this.keep(payeeId, place, answer.found);
    return answer;
  }

  /** null: it is none of ours. */
  async at(address: string, { blockchain }: Place, signal?: AbortSignal): Promise<CircleAnswer<KnownWallet | null>> {
    const known = this.byAddress.get(address);
    if (known) return { kind: 'done', found: known };
    const answer = await this.client.wallets({ blockchain, address }, signal);
    if (answer.kind !== 'done') return answer;
    const [found = null] = answer.found.data.wallets;
    if (this.byAddress.size >= MOST_KNOWN) this.byAddress.clear();
    if (found) this.byAddress.set(address, found);
    return { kind: 'done', found };
  }

  async read(id: string, signal?: AbortSignal): Promise<CircleAnswer<Wallet>> {
    const answer = await this.client.wallet(id, signal);
    return answer.kind === 'done' ? { kind: 'done', found: answer.found.data.wallet } : answer;
  }

  /** The oldest of them, should there ever be two. */
  private async listed(payeeId: string, place: Place, signal?: AbortSignal): Promise<CircleAnswer<Wallet | null>> {
    const { walletSetId, blockchain } = place;
    const answer = await this.client.wallets({ walletSetId, blockchain, refId: payeeId }, signal);
    if (answer.kind !== 'done') return answer;
    const [oldest = null] = answer.found.data.wallets.filter(({ refId }) => refId === payeeId);
    return { kind: 'done', found: oldest };
  }

  private async made(
    { key: idempotencyKey }: Kept,
    refId: string,
    { walletSetId, blockchain }: Place,
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Wallet>> {
    const answer = await this.client.createWallet({ idempotencyKey, walletSetId, blockchain, refId }, signal);
    if (answer.kind !== 'done') return answer;
    const [wallet] = answer.found.data.wallets;
    return wallet
      ? { kind: 'done', found: wallet }
      : { kind: 'unclear', detail: 'Circle says that it made a wallet, and shows none' };
  }

  /** Once known it stays. */
  private async keep(payeeId: string, place: Place, { id, address }: KnownWallet): Promise<void> {
    const key = keyOf(payeeId, place);
    await this.store.claim<Kept>(key, { ...unopened(payeeId, place), id, address });
    await this.store.update<Kept>(key, (kept) => (kept.id === null ? { ...kept, id, address } : kept));
  }
}

const unopened = (payeeId: string, place: Place): Kept => ({
  ...{ id: null, address: null },
  key: idempotencyKeyOf(keyOf(payeeId, place)),
});

const walletIn = (kept: Kept | null): KnownWallet | null =>
  kept && kept.id !== null && kept.address !== null ? { id: kept.id, address: kept.address } : null;

const keyOf = (payeeId: string, { walletSetId, blockchain }: Place): string =>
  `wallet:${walletSetId}:${blockchain}:${payeeId}`;
