import { isBrandColor } from './brand';

test.each(['#000000', '#1f5eff', '#0B7A43', '#767676'])('white text can be read on %s', (color) =>
  expect(isBrandColor(color)).toBe(true),
);

test.each(['#777777', '#ffffff', '#ff9900', '#000', 'red', '1f5eff', '#1f5eff00', '#1f5efg', ''])(
  'white text cannot be read on %j, or it is no colour',
  (color) => expect(isBrandColor(color)).toBe(false),
);
