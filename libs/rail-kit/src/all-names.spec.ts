import { ofAllNames, withOneInDoubt } from './all-names';
import type { LookupAnswer } from './facts';

const ASKED = { amountCents: 500, currency: 'EUR' };
const REFUSED = { kind: 'refused', failure: 'funding', reason: 'empty' } as const;
const NOT_NOW = { kind: 'not_now', afterSeconds: 5, detail: 'busy' } as const;
const UNKNOWN = { kind: 'unknown', detail: 'no answer' } as const;
const BOTH = { kind: 'unknown', contradicts: true, detail: 'denied, and paid' } as const;
const NEVER = { kind: 'never_seen' } as const;
const BOUNCED = { kind: 'bounced', feeCents: 0 } as const;
const accepted = (providerRef: string): LookupAnswer => ({ kind: 'accepted', providerRef });
const settled = (providerRef: string): LookupAnswer => ({
  ...{ kind: 'settled', providerRef, settledAt: null },
  ...{ echo: ASKED, fee: { amountCents: 1, currency: 'EUR' } },
});

describe('what a provider has of a payout under all its names', () => {
  it.each<[string, LookupAnswer | null, LookupAnswer[], LookupAnswer | null]>([
    ['the last one, if there is no other', REFUSED, [], REFUSED],
    ['the last one, if nothing came of the others', UNKNOWN, [REFUSED, REFUSED], UNKNOWN],
    ['nothing, if nothing came of any and none follows yet', null, [REFUSED], null],
    ['an earlier one that is out, if nothing came of the last', REFUSED, [settled('one'), REFUSED], settled('one')],
    ['an earlier one that is out, before the next is used', null, [accepted('one')], accepted('one')],
    ['the last one, if that is out and an earlier one in doubt', accepted('two'), [UNKNOWN], accepted('two')],
    ['an earlier one in doubt, if nothing came of the last', REFUSED, [REFUSED, UNKNOWN], UNKNOWN],
    ['an earlier one in doubt, if the last was not sent', NEVER, [UNKNOWN], UNKNOWN],
    ['an earlier one that came back, if nothing came of the last', REFUSED, [BOUNCED], BOUNCED],
    ['an earlier one that contradicts itself, if nothing came of the last', REFUSED, [BOTH], BOTH],
    ['an earlier one that contradicts itself, if the last came back', BOUNCED, [BOTH], BOTH],
  ])('is %s', (_, last, earlier, told) => {
    expect(ofAllNames(ASKED, last, earlier)).toEqual(told);
  });

  it.each<[LookupAnswer, LookupAnswer, string]>([
    [accepted('two'), settled('one'), 'settled'],
    [settled('two'), BOTH, 'settled'],
    [BOTH, accepted('one'), 'accepted'],
    [settled('two'), accepted('one'), 'settled'],
    [UNKNOWN, settled('one'), 'settled'],
    [NOT_NOW, accepted('one'), 'accepted'],
    [accepted('two'), { kind: 'claimed', providerRef: 'one' }, 'claimed'],
    [
      { kind: 'claimed', providerRef: 'two' },
      { kind: 'awaiting_payee', providerRef: 'one', claimUrl: null },
      'awaiting_payee',
    ],
  ])('is more than was asked for, if two are out, or may be', (last, earlier, kind) => {
    const both = ofAllNames(ASKED, last, [earlier, REFUSED]);
    expect(both).toMatchObject({ kind, echo: { amountCents: 1_000, currency: 'EUR' } });
  });

  it('leaves no call to follow from two that are out', () => {
    const both = ofAllNames(ASKED, { ...accepted('two'), next: { leg: 'payout' } } as LookupAnswer, [accepted('one')]);
    expect(both).not.toHaveProperty('next');
  });

  it('may be more than was asked for, if one is out and nobody can tell of the last', () => {
    const both = withOneInDoubt(ASKED, settled('one'));
    expect(both).toMatchObject({ kind: 'settled', providerRef: 'one', echo: { amountCents: 1_000, currency: 'EUR' } });
    expect(withOneInDoubt(ASKED, UNKNOWN)).toEqual(UNKNOWN);
  });
});
