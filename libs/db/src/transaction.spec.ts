import { SILENT_AFTER_MS } from './data-source';
import { patienceOf } from './transaction';

test('what leaves behind writes that are not answered is given the time of each of them', () => {
  const behind = (count: number) => patienceOf({ writes: Array.from({ length: count }, () => Promise.resolve()) });
  expect(behind(0)).toEqual({});
  expect(behind(3)).toEqual({ query_timeout: 4 * SILENT_AFTER_MS });
});
