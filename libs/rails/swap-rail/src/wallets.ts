/**
 * A wallet for each payee, known by what their client calls them: a payee who is made again after a restore has the one from before. It is
 * looked for before it is made, and made under a key that is kept first.
 */
import type { RailOrder, RailStore } from '#libs/rail-kit';
import type { CircleAnswer, CircleClient } from './circle.client';
import type { Wallet } from './circle.shapes';
import { idempotencyKeyOf } from './idempotency-key';
import { isSameAddress, isSameId, mayBe } from './same';
import { codeOf, isAboutKey } from './swap-rail.mapping';
import type { Place } from './treasury';

export type KnownWallet = Pick<Wallet, 'id' | 'address'>;
export type Owner = Pick<RailOrder, 'payee' | 'payeeKey'>;

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
  async known(owner: Owner, place: Place, signal?: AbortSignal): Promise<CircleAnswer<KnownWallet | null>> {
    const { id } = owner.payee;
    const kept = walletIn(await this.store.read<Kept>(keyOf(id, place)));
    if (kept) return { kind: 'done', found: kept };
    const answer = await this.listed(owner, place, signal);
    if (answer.kind === 'done' && answer.found) await this.keep(id, place, answer.found);
    return answer;
  }

  /** As it stands now. Whoever has none that is known is made one. */
  async opened({ payee: { id }, payeeKey }: Owner, place: Place, signal?: AbortSignal): Promise<CircleAnswer<Wallet>> {
    const record = await this.store.claim<Kept>(keyOf(id, place), unopened(id, place));
    if (record.id !== null) return ofOneWallet(await this.read(record.id, signal));
    const answer = await this.made(record, payeeKey, place, signal);
    if (answer.kind === 'done') await this.keep(id, place, answer.found);
    return answer;
  }

  /** null: it is none of ours. */
  async at(address: string, { blockchain }: Place, signal?: AbortSignal): Promise<CircleAnswer<KnownWallet | null>> {
    const known = this.byAddress.get(address);
    if (known) return { kind: 'done', found: known };
    const answer = await this.client.wallets({ blockchain, address }, signal);
    if (answer.kind !== 'done') return ofOneWallet<never>(answer);
    // The same address stands on other blockchains too.
    const isThere = (each: Wallet): boolean => each.blockchain === blockchain && isSameAddress(each.address, address);
    const first = firstOf(answer.found.data.wallets, isThere);
    if (first.kind !== 'done') return first;
    if (this.byAddress.size >= MOST_KNOWN) this.byAddress.clear();
    if (first.found) this.byAddress.set(address, first.found);
    return first;
  }

  async read(id: string, signal?: AbortSignal): Promise<CircleAnswer<Wallet>> {
    const answer = await this.client.wallet(id, signal);
    return answer.kind === 'done' ? { kind: 'done', found: answer.found.data.wallet } : answer;
  }

  /** The oldest of them, should there ever be two. Earlier versions named wallets by our id of the payee. */
  private async listed({ payee, payeeKey }: Owner, place: Place, signal?: AbortSignal): Promise<Listed> {
    const answer = await this.named(payeeKey, place, signal);
    return answer.kind === 'done' && answer.found === null ? this.named(payee.id, place, signal) : answer;
  }

  private async named(name: string, { walletSetId, blockchain }: Place, signal?: AbortSignal): Promise<Listed> {
    const answer = await this.client.wallets({ walletSetId, blockchain, refId: name }, signal);
    if (answer.kind !== 'done') return answer;
    const isTheirs = (each: Wallet): boolean => each.refId === name && isIn(each, { walletSetId, blockchain });
    return firstOf(answer.found.data.wallets, isTheirs);
  }

  private async made(
    { key: idempotencyKey }: Kept,
    refId: string,
    { walletSetId, blockchain }: Place,
    signal?: AbortSignal,
  ): Promise<CircleAnswer<Wallet>> {
    const answer = await this.client.createWallet({ idempotencyKey, walletSetId, blockchain, refId }, signal);
    if (answer.kind !== 'done') return answer;
    const isTheirs = (each: Wallet): boolean =>
      mayBe(each.refId, (told) => told === refId) && isIn(each, { walletSetId, blockchain });
    const first = firstOf(answer.found.data.wallets, isTheirs);
    if (first.kind !== 'done') return first;
    return first.found
      ? { kind: 'done', found: first.found }
      : { kind: 'unclear', detail: 'Circle says that it made a wallet, and shows none' };
  }

  /** Once known it stays. */
  private async keep(payeeId: string, place: Place, { id, address }: KnownWallet): Promise<void> {
    const key = keyOf(payeeId, place);
    await this.store.claim<Kept>(key, { ...unopened(payeeId, place), id, address });
    await this.store.update<Kept>(key, (kept) => (kept.id === null ? { ...kept, id, address } : kept));
  }
}

/** An answer about one payee's wallet says nothing about our key, which Circle accepted a moment ago. */
export function ofOneWallet<Found>(answer: CircleAnswer<Found>): CircleAnswer<Found> {
  if (answer.kind !== 'rejected' || isAboutKey(answer.status, answer.problem)) return answer;
  return { kind: 'unclear', detail: `Circle does not show the wallet of a payee: ${codeOf(answer.problem)}` };
}

type Listed = CircleAnswer<Wallet | null>;

/** null: there is none. Where only others are listed, that is not said. */
function firstOf(wallets: Wallet[], isAskedFor: (wallet: Wallet) => boolean): Listed {
  const found = wallets.find(isAskedFor);
  if (!found && wallets.length > 0)
    return { kind: 'unclear', detail: 'Circle lists other wallets than were asked for' };
  return { kind: 'done', found: found ?? null };
}

const isIn = (wallet: Wallet, { walletSetId, blockchain }: Pick<Place, 'walletSetId' | 'blockchain'>): boolean =>
  wallet.blockchain === blockchain && isSameId(wallet.walletSetId, walletSetId);

const unopened = (payeeId: string, place: Place): Kept => ({
  ...{ id: null, address: null },
  key: idempotencyKeyOf(keyOf(payeeId, place)),
});

const walletIn = (kept: Kept | null): KnownWallet | null =>
  kept && kept.id !== null && kept.address !== null ? { id: kept.id, address: kept.address } : null;

const keyOf = (payeeId: string, { walletSetId, blockchain }: Place): string =>
  `wallet:${walletSetId}:${blockchain}:${payeeId}`;
