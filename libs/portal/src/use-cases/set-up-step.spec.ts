import { hindranceOf } from './set-up-step';

test.each([
  [null, 'active', [], true],
  [null, 'active', ['not_payable', 'kyc_rejected', 'missing_name'], true],
  ['blocked', 'suspended', [], true],
  ['blocked', 'active', ['no_rail', 'route_blocked'], false],
  ['no_rail', 'active', ['rail_not_allowed'], true],
  ['no_rail', 'active', [], false],
] as const)(
  'stands against them: %s, of a client that is %s, with %j and a rail that is carried: %s',
  (said, status, blockers, isCarried) => {
    expect(hindranceOf({ status }, { blockers: [...blockers] }, isCarried)).toBe(said);
  },
);
