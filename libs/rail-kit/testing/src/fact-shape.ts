/** What any fact must look like, whatever it is about. */
import {
  type BegunLeg,
  type Custody,
  type Echo,
  type LookupAnswer,
  type NextLeg,
  REFUSAL_CLASSES,
} from '#libs/rail-kit';

const FIELDS: Record<LookupAnswer['kind'], readonly string[]> = {
  settled: ['providerRef', 'settledAt', 'echo', 'fee'],
  accepted: ['providerRef', 'echo', 'fee', 'next'],
  awaiting_payee: ['providerRef', 'claimUrl', 'echo', 'fee', 'begins'],
  claimed: ['providerRef', 'echo', 'fee'],
  refused: ['failure', 'reason'],
  bounced: ['feeCents'],
  unknown: ['detail'],
  never_seen: [],
  not_now: ['afterSeconds', 'detail'],
};

export function expectWellFormed(fact: LookupAnswer, custody: Custody): void {
  expect(Object.keys(FIELDS)).toContain(fact.kind);
  expect(['kind', ...FIELDS[fact.kind]]).toEqual(expect.arrayContaining(Object.keys(fact)));
  if ('providerRef' in fact) expectText(fact.providerRef);
  if ('echo' in fact && fact.echo) expectMoney(fact.echo);
  if ('fee' in fact && fact.fee) expectMoney(fact.fee);
  if ('next' in fact && fact.next) expectLeg(fact.next);
  expectItsOwn(fact, custody);
}

function expectItsOwn(fact: LookupAnswer, custody: Custody): void {
  switch (fact.kind) {
    case 'settled':
      if (fact.settledAt !== null) expect(Number.isNaN(fact.settledAt.getTime())).toBe(false);
      break;
    case 'awaiting_payee':
      expect(custody).not.toBe('custodial');
      if (fact.claimUrl !== null) expect(new URL(fact.claimUrl).protocol).toMatch(/^https?:$/);
      if (fact.begins) expectBegins(fact.begins);
      break;
    case 'claimed':
      expect(custody).not.toBe('custodial');
      break;
    case 'refused':
      expect(REFUSAL_CLASSES).toContain(fact.failure);
      expectText(fact.reason);
      break;
    case 'bounced':
      expect(Number.isSafeInteger(fact.feeCents) && fact.feeCents >= 0).toBe(true);
      break;
    case 'unknown':
      expectText(fact.detail);
      break;
    case 'not_now':
      expectText(fact.detail);
      expect(fact.afterSeconds).toBeGreaterThan(0);
  }
}

function expectLeg({ leg, afterSeconds = 0 }: NextLeg): void {
  expect(leg).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
  expect(Number.isFinite(afterSeconds) && afterSeconds >= 0).toBe(true);
}

function expectBegins({ refused, ...next }: BegunLeg): void {
  expectLeg(next);
  if (refused) for (const text of [refused.key, refused.reason]) expectText(text);
}

function expectText(text: string): void {
  expect(typeof text).toBe('string');
  expect(text.trim()).not.toBe('');
}

function expectMoney({ amountCents, currency }: Echo): void {
  expect(Number.isSafeInteger(amountCents) && amountCents >= 0).toBe(true);
  expect(currency).toMatch(/^[A-Z]{3}$/);
}
