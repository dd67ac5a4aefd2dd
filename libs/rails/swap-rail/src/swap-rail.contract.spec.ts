/** That what rail and simulator say to each other is held against the schema that Circle publishes, in every spec of this rail. */
import { NO_SCHEMA } from '#libs/provider-sandbox';
import { contractWatch } from './swap-rail.world.fake';

const contract = contractWatch();
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

describe("swap_rail against Circle's schema", () => {
  if (contract === null) {
    leaveOut(`nothing was held against it ${NO_SCHEMA}`, () => undefined);
    return;
  }

  const keys = { idempotencyKey: 'c0ffee00-0000-4000-8000-000000000000', entitySecretCiphertext: 'YQ==' };
  const transfer = { ...keys, walletId: 'w', destinationAddress: '0x', tokenId: 't', amounts: ['1.00'], refId: 'r' };
  const wallet = {
    ...{ id: 'w', address: '0x', blockchain: 'ETH-SEPOLIA', state: 'LIVE', walletSetId: 's', custodyType: 'DEVELOPER' },
    ...{ createDate: 'd', updateDate: 'd', accountType: 'SCA', scaCore: 'circle_6900_singleowner_v3' },
  };
  const complaints = (method: string, path: string, asked: object, status: number, answered: object): string[] => {
    const request = { method, path, query: new URLSearchParams(), headers: {}, body: JSON.stringify(asked) };
    contract.complaints.length = 0;
    contract.see(request, { status, body: { data: answered } });
    return contract.complaints.map(({ says }) => says);
  };

  it.each([
    [{}, { id: 'x', state: 'INITIATED' }, []],
    [{ note: 'x' }, { id: 'x', state: 'INITIATED' }, [expect.stringContaining('note')]],
    [{ amounts: [] }, { id: 'x', state: 'INITIATED' }, [expect.stringContaining('fewer than 1')]],
    [{}, { id: 'x', state: 'STUCK' }, [expect.stringContaining('allowed values')]],
    [{}, { id: 'x', state: 'SENT', txHash: 'x' }, [expect.stringContaining('txHash')]],
  ])('complains about what is made up of a transfer: %p and %p', (made, answered, wanted) => {
    const path = '/v1/w3s/developer/transactions/transfer';
    expect(complaints('POST', path, { ...transfer, ...made }, 201, answered)).toEqual(wanted);
  });

  it.each([
    [{}, 0],
    [{ owner: 'x' }, 1],
    [{ state: 'RESTING' }, 1],
  ])('complains about what is made up of a wallet: %p', (made, wanted) => {
    const said = complaints('GET', '/v1/w3s/wallets', {}, 200, { wallets: [{ ...wallet, ...made }] });
    expect(said.length > 0 ? 1 : 0).toBe(wanted);
  });
});
