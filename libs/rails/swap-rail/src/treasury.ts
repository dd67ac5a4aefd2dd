/** The wallet that payouts are paid from: where it is, what lies in it, and whether it can be used. */
import type { RailCall, RailFunds, VerificationAnswer } from '#libs/rail-kit';
import { wholeCentsOf } from './amounts';
import { type CircleAnswer, type CircleClient, PAGE_SIZE } from './circle.client';
import type { Told, Wallet } from './circle.shapes';
import { codeOf, isAboutUs, notNow, unanswered } from './swap-rail.mapping';
import type { SwapRailSettings } from './swap-rail.settings';

/** Of a wallet this never changes. */
export interface Place {
  treasuryId: string;
  address: string;
  blockchain: string;
  /** Where payees get their wallets. */
  walletSetId: string;
}

type Settings = Pick<SwapRailSettings, 'treasuryWalletId' | 'tokenId' | 'walletSetId' | 'mode'>;

const FROZEN = 'the treasury wallet is frozen at Circle';

export class Treasury {
  private known: Place | null = null;

  constructor(
    private readonly client: CircleClient,
    private readonly settings: Settings,
  ) {}

  async place(signal?: AbortSignal): Promise<CircleAnswer<Place>> {
    if (this.known) return { kind: 'done', found: this.known };
    const answer = await this.read(signal);
    if (answer.kind !== 'done') return answer;
    this.known = this.placeOf(answer.found.data.wallet);
    return { kind: 'done', found: this.known };
  }

  /** Frozen money cannot be paid out. */
  async funding(call?: RailCall): Promise<RailFunds[]> {
    const wallet = await this.read(call?.signal);
    if (wallet.kind !== 'done') throw new Error(`Circle told no balance: ${unanswered(wallet).detail}`);
    if (wallet.found.data.wallet.state !== 'LIVE') return [{ currency: 'USD', availableCents: 0 }];
    const answer = await this.client.balances(this.settings.treasuryWalletId, call?.signal);
    if (answer.kind !== 'done') throw new Error(`Circle told no balance: ${unanswered(answer).detail}`);
    const { tokenBalances } = answer.found.data;
    const ours = tokenBalances.find(({ token }) => token.id === this.settings.tokenId);
    if (!ours && tokenBalances.length >= PAGE_SIZE)
      throw new Error('Circle shows more tokens in the treasury than one page holds, and not ours among them.');
    const availableCents = wholeCentsOf(ours?.amount ?? '0');
    if (availableCents === null) throw new Error('Circle tells no amount that can be read.');
    return [{ currency: 'USD', availableCents }];
  }

  /** With another wallet, or wallets of payees elsewhere, nothing that was sent before would be found. */
  async verify(call?: RailCall): Promise<VerificationAnswer> {
    const answer = await this.read(call?.signal);
    if (answer.kind === 'done') {
      const { wallet } = answer.found.data;
      if (wallet.state === 'FROZEN') return { kind: 'rejected', detail: FROZEN };
      const { treasuryId, walletSetId } = this.placeOf(wallet);
      return { kind: 'works', account: `${walletSetId}/${treasuryId}`, mode: this.settings.mode };
    }
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    if (answer.kind === 'rejected' && isAboutUs(answer.status, answer.problem))
      return { kind: 'rejected', detail: codeOf(answer.problem) };
    return unanswered(answer);
  }

  private read(signal?: AbortSignal): Promise<CircleAnswer<Told<{ wallet: Wallet }>>> {
    return this.client.wallet(this.settings.treasuryWalletId, signal);
  }

  private placeOf({ id, address, blockchain, walletSetId }: Wallet): Place {
    return { treasuryId: id, address, blockchain, walletSetId: this.settings.walletSetId ?? walletSetId };
  }
}
