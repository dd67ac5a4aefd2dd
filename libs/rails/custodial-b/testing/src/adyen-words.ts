/** What the simulated Adyen says, in the words of its published schema. */
import type { SandboxAnswer } from '#libs/provider-sandbox';
import {
  type AdyenAccount,
  type AdyenEntity,
  type AdyenHolder,
  type AdyenInstrument,
  type AdyenState,
  type AdyenTransfer,
  type AdyenTransferEvent,
  availableOf,
  isCredited,
} from './adyen-books';

export function problem(status: number, errorCode: string): SandboxAnswer {
  const type = 'https://docs.adyen.com/errors/general';
  return { status, body: { type, title: 'Turned away', status, detail: `Turned away: ${errorCode}.`, errorCode } };
}

/** As its older APIs say it, and all of them that they do not know a key. */
export const serviceError = (status: number, errorCode: string): SandboxAnswer => ({
  status,
  body: {
    status,
    errorCode,
    message: `Turned away: ${errorCode}.`,
    errorType: status < 422 ? 'security' : 'validation',
  },
});

export const entityBody = ({
  id,
  reference,
  firstName,
  lastName,
  email,
  country,
  instruments,
}: AdyenEntity): object => ({
  ...{ id, type: 'individual', ...(reference === null ? {} : { reference }) },
  individual: {
    ...{ name: { firstName, lastName }, residentialAddress: { country } },
    ...(email === null ? {} : { email }),
  },
  transferInstruments: instruments.map((each) => ({
    ...{ id: each.id, accountIdentifier: `${'*'.repeat(each.number.length - 4)}${each.number.slice(-4)}` },
    realLastFour: each.number.slice(-4),
  })),
});

export const instrumentBody = (entity: AdyenEntity, { id, number }: AdyenInstrument): object => ({
  ...{ id, legalEntityId: entity.id, type: 'bankAccount' },
  bankAccount: {
    ...{ bankName: 'ADYEN TEST BANK', countryCode: entity.country },
    accountIdentification: { type: 'iban', iban: `${'*'.repeat(number.length - 4)}${number.slice(-4)}` },
  },
});

export function holderBody(holder: AdyenHolder, { balancePlatform, accounts, entities }: AdyenState): object {
  const { id, legalEntityId, reference, status } = holder;
  const primary = accounts.find(({ holderId }) => holderId === id);
  const instruments = entities.find((entity) => entity.id === legalEntityId)?.instruments ?? [];
  return {
    ...{ id, legalEntityId, status, balancePlatform },
    ...(reference === null ? {} : { reference }),
    ...(primary ? { primaryBalanceAccount: primary.id } : {}),
    capabilities: Object.fromEntries(
      holder.capabilities.map((name) => [name, capabilityOf(holder, name, instruments)]),
    ),
  };
}

const VERIFICATION = { incomplete: 'invalid', pending: 'pending', verified: 'valid', rejected: 'invalid' } as const;

function capabilityOf(holder: AdyenHolder, name: string, instruments: AdyenInstrument[]): object {
  const allowed = holder.standing === 'verified';
  const verificationStatus =
    holder.reason === null && holder.standing === 'rejected' ? 'rejected' : VERIFICATION[holder.standing];
  const supporting = instruments.map(({ id }) => ({ id, allowed, enabled: true, requested: true, verificationStatus }));
  return {
    ...{ allowed, enabled: true, requested: true, verificationStatus, problems: problemsOf(holder) },
    ...(name === 'sendToTransferInstrument' ? { transferInstruments: supporting } : {}),
  };
}

function problemsOf({ standing, reason, legalEntityId }: AdyenHolder): object[] {
  const entity = { id: legalEntityId, type: 'LegalEntity' };
  const missing = {
    code: '2_8189',
    type: 'dataMissing',
    message: "'BankAccount' was missing.",
    remediatingActions: [],
  };
  const wrong = { code: '1_703', type: 'invalidInput', message: reason, remediatingActions: [] };
  if (standing === 'incomplete') return [{ entity, verificationErrors: [missing] }];
  return standing === 'rejected' && reason !== null ? [{ entity, verificationErrors: [wrong] }] : [];
}

export const accountBody = (account: AdyenAccount): object => ({
  ...plainAccount(account),
  balances: Object.entries(account.balances).map(([currency, balance]) => ({
    ...{ currency, balance, available: availableOf(account, currency) },
    reserved: -(account.reserved[currency] ?? 0),
  })),
});

export const plainAccount = ({ id, holderId, reference }: AdyenAccount): object => ({
  ...{ id, accountHolderId: holderId, status: 'active', defaultCurrencyCode: 'EUR' },
  ...(reference === null ? {} : { reference }),
});

/** In the answer to the call that makes it; a look at it tells more. */
export function transferBody(transfer: AdyenTransfer, { accounts }: AdyenState): object {
  const { id, reference, category, direction, account, counterparty, units, currency, description } = transfer;
  const holder = accounts.find((each) => each.id === account)?.holderId ?? '';
  return {
    ...{ id, reference, category, direction, amount: { value: units, currency }, status: transfer.status },
    ...{ balanceAccount: { id: account }, accountHolder: { id: holder }, counterparty, createdAt: transfer.createdAt },
    type: category === 'bank' ? 'bankTransfer' : 'internalTransfer',
    ...(transfer.reason === null ? {} : { reason: transfer.reason }),
    ...(description === null ? {} : { description }),
  };
}

export const transferData = (transfer: AdyenTransfer, state: AdyenState): object => ({
  ...transferBody(transfer, state),
  ...{ balancePlatform: state.balancePlatform, sequenceNumber: transfer.events.length },
  ...{ updatedAt: transfer.events.at(-1)?.at, events: transfer.events.map((event) => eventBody(event, transfer)) },
  ...(isCredited(transfer) ? { tracking: CREDITED } : {}),
});

const CREDITED = { type: 'confirmation', status: 'credited' };

const eventBody = (
  { id, status, at, tracking, reason, units }: AdyenTransferEvent,
  { currency }: AdyenTransfer,
): object =>
  tracking !== null
    ? { id, type: 'tracking', updateDate: at, trackingData: CREDITED }
    : {
        ...{ id, type: 'accounting', status, bookingDate: at },
        ...(reason === null ? {} : { reason }),
        ...(units === null ? {} : { mutations: [{ currency, balance: units }] }),
      };

export const noticeBody = (transfer: AdyenTransfer, state: AdyenState, now: Date): object => ({
  type: transfer.events.length <= 1 ? 'balancePlatform.transfer.created' : 'balancePlatform.transfer.updated',
  ...{ environment: 'test', timestamp: now.toISOString(), data: transferData(transfer, state) },
});
