/**
 * Providers know payouts by these codes for years. If a line here changes, so does CODES_SINCE in tools/backup/facts.mjs: a backup of before is then
 * refused by `npm run restore`, for what was paid since would be paid again under the new ones.
 */
import { batchRailKeyOf, consolidatedRailKeyOf, legKeyOf, payeeKeyOf, railKeyOf } from './idempotency';

const ROWS = { clientId: 'client', externalId: 'ada', currency: 'EUR', refsDigest: 'digest' };

test.each([
  ['a caller’s own payout', railKeyOf('d', 'client', 'key'), 'gwf32c588b4f70c95d4ca1111e1d848dac386ab89b28f8a470'],
  [
    'a row of a batch',
    batchRailKeyOf('d', 'client', { batchKey: 'key', whom: 'ada' }),
    'gw6d4b2ce3566e35a49e87e9517f5906c33beecebd0bf1c865',
  ],
  ['owed rows', consolidatedRailKeyOf('d', ROWS, 0), 'gwfa44f239a3c14d65dfdd5a2053e6bb8f96a808683de60000'],
  [
    'owed rows that were refused for good twice',
    consolidatedRailKeyOf('d', ROWS, 2),
    'gwfa44f239a3c14d65dfdd5a2053e6bb8f96a808683de60002',
  ],
  ['a payee', payeeKeyOf('d', 'client', 'ada'), 'gw365229ccc6b6e7889aa62bcbe53c0b4f125b300af3de944c'],
  ['a later leg', legKeyOf('code', 'transfer', 1), 'gw13933669f0892ffc4eae396ddc7f22bbe2fdcd57ee37a695'],
])('the code of %s stays as it is', (_, code, known) => {
  expect(code).toBe(known);
});
