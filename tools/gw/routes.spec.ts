/** Which rail pays to which country, from the command line. */
import { answers, asked, gw, lastBody, standIn } from './testing/stand-in';

standIn();

test('routes change where they are named, and nowhere else', async () => {
  answers['GET /routes'] = { routes: { US: ['a'], '*': ['b'] }, blockedCountries: ['KP', 'SY'] };
  answers['PUT /routes'] = {};
  answers['GET /rails'] = {
    data: [
      { name: 'a', implemented: true },
      { name: 'c', implemented: true },
      { name: 'custodal_a', implemented: false },
    ],
  };
  await gw('routes', 'set', '--route', 'US=', '--route', 'GB=c,a', '--block', 'CU', '--unblock', 'SY');
  expect(lastBody()).toEqual({ routes: { '*': ['b'], GB: ['c', 'a'] }, blockedCountries: ['CU', 'KP'] });
  const { code, err } = await gw('routes', 'set', '--route', 'GB=c,custodal_a');
  expect([code, err]).toEqual([2, expect.stringContaining("There is no rail 'custodal_a', only a, c.")]);
  expect(lastBody()).toBeNull(); // it only looked
});

test('routes that name no rail are changed without a look at the rails', async () => {
  answers['GET /routes'] = { routes: {}, blockedCountries: [] };
  answers['PUT /routes'] = {};
  expect((await gw('routes', 'set', '--block', 'CU')).code).toBe(0);
  expect(asked.map(({ call }) => call)).toEqual(['GET /routes', 'PUT /routes']);
});
