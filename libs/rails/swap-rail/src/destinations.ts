/** Whether a payee's money can go where they say. Circle is asked what it thinks of the address; nothing is moved, nothing kept. */
import type { ArrivalFact, DestinationAnswer, NotNow, RailCall, RailOrder } from '#libs/rail-kit';
import type { CircleAnswer, CircleClient } from './circle.client';
import { networkOf } from './networks';
import { isSameAddress } from './same';
import { drainRefused, unanswered } from './swap-rail.mapping';
import type { Place, Treasury } from './treasury';
import type { Wallets } from './wallets';

const NO_ADDRESS = { kind: 'refused', reason: 'This is no address of the network that this money is on.' } as const;
const OWN_WALLET = {
  kind: 'refused',
  reason: 'This is the wallet that it lies in. Enter an address of your own.',
} as const;
/** Nobody has more to say in an address. */
const ADDRESS = /^[A-Za-z0-9_.:-]{1,128}$/;
/** Of those that begin so the letters' case is a checksum, and says nothing more once it was looked at. */
const HEXADECIMAL = /^0x[0-9a-f]{40}$/i;
/** Whatever is sent there is gone. */
const NOWHERE = /^0x0{40}$/i;

export class Destinations {
  constructor(private readonly parts: { client: CircleClient; treasury: Treasury; wallets: Wallets }) {}

  async check(order: RailOrder, entered: string, call?: RailCall): Promise<DestinationAnswer> {
    const address = entered.trim();
    if (!ADDRESS.test(address) || NOWHERE.test(address)) return NO_ADDRESS;
    const place = await this.parts.treasury.place(call?.signal);
    if (place.kind !== 'done') return unanswered(place);
    const valid = await this.isValid(address, place.found, call);
    if (valid.kind !== 'done') return unanswered(valid);
    if (!valid.found) return NO_ADDRESS;
    const own = await this.parts.wallets.known(order, place.found, call?.signal);
    if (own.kind !== 'done') return unanswered(own);
    const destination = HEXADECIMAL.test(address) ? address.toLowerCase() : address;
    const isOurs = [own.found, place.found].some((each) => each !== null && isSameAddress(each.address, destination));
    return isOurs ? OWN_WALLET : { kind: 'taken', destination };
  }

  async arrivesAs(call?: RailCall): Promise<ArrivalFact | NotNow> {
    const place = await this.parts.treasury.place(call?.signal);
    if (place.kind !== 'done') return unanswered(place);
    return { kind: 'arrives', coin: 'USDC', network: networkOf(place.found.blockchain) };
  }

  private async isValid(address: string, { blockchain }: Place, call?: RailCall): Promise<CircleAnswer<boolean>> {
    const answer = await this.parts.client.validateAddress(address, blockchain, call?.signal);
    if (answer.kind === 'rejected' && drainRefused(answer.status, answer.problem) === 'address')
      return { kind: 'done', found: false };
    return answer.kind === 'done' ? { kind: 'done', found: answer.found.data.isValid } : answer;
  }
}
