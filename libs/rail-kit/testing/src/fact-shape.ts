/** What any fact must look like, whatever it is about. */
import type { Custody, Echo, LookupFact } from '#libs/rail-kit';

const FIELDS: Record<LookupFact['kind'], readonly string[]> = {
  settled: ['providerRef', 'settledAt', 'echo'],
  accepted: ['providerRef', 'echo'],
  awaiting_payee: ['providerRef', 'claimUrl', 'echo'],
  claimed: ['providerRef', 'echo'],
  refused: ['failure', 'reason'],
  bounced: ['feeCents'],
  unknown: ['detail'],
  never_seen: [],
};

export function expectWellFormed(fact: LookupFact, custody: Custody): void {
  expect(Object.keys(FIELDS)).toContain(fact.kind);
  expect(['kind', ...FIELDS[fact.kind]]).toEqual(expect.arrayContaining(Object.keys(fact)));
  if ('providerRef' in fact) expectText(fact.providerRef);
  if ('echo' in fact && fact.echo) expectMoney(fact.echo);
  expectItsOwn(fact, custody);
}

function expectItsOwn(fact: LookupFact, custody: Custody): void {
  switch (fact.kind) {
    case 'settled':
      if (fact.settledAt !== null) expect(Number.isNaN(fact.settledAt.getTime())).toBe(false);
      break;
    case 'awaiting_payee':
      expect(custody).not.toBe('custodial');
      expect(new URL(fact.claimUrl).protocol).toMatch(/^https?:$/);
      break;
    case 'claimed':
      expect(custody).not.toBe('custodial');
      break;
    case 'refused':
      expect(['transient', 'permanent', 'funding']).toContain(fact.failure);
      expectText(fact.reason);
      break;
    case 'bounced':
      expect(Number.isSafeInteger(fact.feeCents) && fact.feeCents >= 0).toBe(true);
      break;
    case 'unknown':
      expectText(fact.detail);
  }
}

function expectText(text: string): void {
  expect(typeof text).toBe('string');
  expect(text.trim()).not.toBe('');
}

function expectMoney({ amountCents, currency }: Echo): void {
  expect(Number.isSafeInteger(amountCents)).toBe(true);
  expect(currency).toMatch(/^[A-Z]{3}$/);
}
