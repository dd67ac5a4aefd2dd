/** The small pure rules, each with what it must refuse. */
import { backoffSeconds } from './backoff';
import { isWellFormedToken, newSigningSecret, newToken, tokenHint } from './credentials';
import { COUNTRIES } from './countries';
import { CURRENCIES, minorUnitDigits } from './currencies';
import { decodeCursor, encodeCursor } from './cursor';
import { ERROR_STATUS, Refusal } from './errors';
import { canonicalId, newId } from './ids';
import { kycPath } from './payee-states';
import { isHolding, REASONS, reasonCodeOf, statusReason } from './payout/reasons';

describe('ids', () => {
  test('are version 7 and in the order of their making', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  test.each([
    '{0199}',
    '01a1fc8f32b873feaf582258e80f991f',
    'urn:uuid:01a1fc8f-32b8-73fe-af58-2258e80f991f',
    '01a1fc8f-32b8-73fe-af58-2258e80f991f ',
  ])('%p is no id', (text) => expect(canonicalId(text)).toBeNull());

  test('have one spelling', () => {
    expect(canonicalId('01A1FC8F-32B8-73FE-AF58-2258E80F991F')).toBe('01a1fc8f-32b8-73fe-af58-2258e80f991f');
  });
});

describe('tokens', () => {
  test('are well formed when made, and not when a character changed', () => {
    const token = newToken('gw_live');
    expect(isWellFormedToken(token)).toBe(true);
    const changed = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect([isWellFormedToken(changed), isWellFormedToken(`${token}x`), isWellFormedToken('gw_live_x')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(isWellFormedToken(token.replace('gw_live', 'gw_test'))).toBe(false);
  });

  test('hold 256 random bits, and a hint gives none of most of them away', () => {
    expect(Buffer.from(newToken('gw_op').slice(6, 49), 'base64url')).toHaveLength(32);
    expect(Buffer.from(newSigningSecret().slice(6), 'base64')).toHaveLength(32);
    expect(tokenHint(newToken('gw_test'))).toHaveLength(13);
  });
});

describe('cursors', () => {
  const place = { createdUs: '1795238605884682', id: '01a1fc8f-32b8-73fe-af58-2258e80f991f' };

  test('come back as they went', () => expect(decodeCursor(encodeCursor(place))).toEqual(place));

  test.each([
    '',
    'x',
    'null',
    encodeCursor({ ...place, id: 'x' }),
    encodeCursor({ ...place, createdUs: "1' OR 1=1" }),
    `${encodeCursor(place)}=`,
    encodeCursor({ ...place, createdUs: '9'.repeat(18) }),
  ])('%p is none', (text) => expect(decodeCursor(text)).toBeNull());
});

describe('money and places', () => {
  test.each(['usd', 'US', 'USD ', 'ZZZ', 'XXX', 'XTS', 'UЅD', 'DEM'])('%p is no currency', (code) =>
    expect(CURRENCIES.has(code)).toBe(false),
  );
  test('minor units have none, two or three digits', () => {
    expect([minorUnitDigits('JPY'), minorUnitDigits('USD'), minorUnitDigits('KWD')]).toEqual([0, 2, 3]);
  });
  test('there are 249 countries, and neither ZZ nor EU is one', () => {
    expect([COUNTRIES.size, COUNTRIES.has('ZZ'), COUNTRIES.has('EU'), COUNTRIES.has('DE')]).toEqual([
      249,
      false,
      false,
      true,
    ]);
  });
});

describe('waiting', () => {
  test('doubles from the first wait to the cap', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((made) => backoffSeconds({ firstSeconds: 60, capSeconds: 3600 }, made));
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600]);
  });
});

describe('reasons', () => {
  test.each(Object.entries(REASONS))('%s says who acts and how', (code, reason) => {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(reason.remedy.length).toBeGreaterThan(3);
    expect(reason.trigger.endsWith('.')).toBe(true);
  });

  test('lead the status reason', () => {
    expect(statusReason('not_payable')).toBe('not_payable');
    expect(reasonCodeOf(statusReason('rail_refused', 'account: closed'))).toBe('rail_refused');
    expect(['not_payable', 'provider_new_rail_not_implemented'].filter(isHolding)).toHaveLength(2);
    expect(['bank_returned', 'not_payabel', 'toString', ''].filter(isHolding)).toEqual([]);
    expect(reasonCodeOf(null)).toBeNull();
  });
});

describe('identity checks', () => {
  test('take legal steps only', () => {
    expect(kycPath('not_started', 'verified')).toEqual(['pending', 'verified']);
    expect(kycPath('rejected', 'verified')).toEqual(['pending', 'verified']);
    expect(kycPath('verified', 'rejected')).toEqual(['rejected']);
    expect(kycPath('verified', 'not_started')).toEqual([]);
    expect(kycPath('pending', 'pending')).toEqual([]);
  });
});

describe('refusals', () => {
  test.each(Object.entries(ERROR_STATUS))('%s has the status %i', (code, status) => {
    expect(new Refusal(code as keyof typeof ERROR_STATUS).status).toBe(status);
  });
});
