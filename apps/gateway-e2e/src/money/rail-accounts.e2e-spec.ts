/** A rail is bound to the provider account that it first spoke to, until an admin says otherwise. */
import { eventually, type Json, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import { putRoutes } from '../harness/money';

describe('the account of a rail', () => {
  beforeAll(() => putRoutes());

  const rail = async (name: string): Promise<Json> =>
    (await operator('GET', '/rails')).body.data.find((row: Json) => row.name === name);
  const speaksTo = (name: string, account: string) =>
    query(
      underTest().databaseUrl,
      `INSERT INTO rail_records (rail, key, value) VALUES ($1, 'credentials', $2)
       ON CONFLICT (rail, key) DO UPDATE SET value = excluded.value`,
      [name, JSON.stringify({ account })],
    );

  test('is the first that it spoke to, and shown', async () => {
    const { boundTo } = await eventually(
      () => rail('custodial_b'),
      ({ boundTo: known }) => known !== null,
    );
    expect(boundTo).toEqual({ account: 'stand-in', mode: 'sandbox', boundAt: expect.any(String) });
    expect(await rail('mock')).toMatchObject({ boundTo: null, closed: null });
    expect(await rail('unwired_rail')).toMatchObject({ boundTo: null, closed: null });
  });

  test('is changed by an admin only, with a line in the audit log', async () => {
    await speaksTo('custodial_b', 'stand-in-2');
    const { status, body } = await operator('POST', '/rails/custodial_b/rebind');
    expect([status, body]).toEqual([200, { account: 'stand-in-2', mode: 'sandbox', boundAt: expect.any(String) }]);
    const { data } = (await operator('GET', '/audit?limit=50')).body;
    expect(
      data.find(({ action, target }: Json) => action === 'rail.rebound' && target === 'custodial_b'),
    ).toMatchObject({
      before: { account: 'stand-in' },
      after: { account: 'stand-in-2' },
    });
    const mine = data.filter(({ target }: Json) => target === 'custodial_b').map(({ action }: Json) => action);
    expect(mine.slice(0, 2)).toEqual(['rail.rebound', 'rail.rebind_asked']);
    await speaksTo('custodial_b', 'stand-in');
    expect((await operator('POST', '/rails/custodial_b/rebind')).body.account).toBe('stand-in');
  });

  test.each([
    ['mock', 409],
    ['unwired_rail', 404],
    ['nobody', 404],
    ["'; DROP TABLE rail_accounts", 404],
  ])('of %s cannot be bound: %i', async (name, expected) => {
    const { status, body } = await operator('POST', `/rails/${encodeURIComponent(name)}/rebind`);
    expect([status, typeof body.message]).toEqual([expected, 'string']);
    const { data } = (await operator('GET', '/audit?limit=50')).body;
    const refused = data.find(({ action, target }: Json) => action === 'rail.rebind_refused' && target === name);
    expect(refused?.after.error).toBe(expected === 409 ? 'illegal_transition' : undefined);
  });

  // Rows of all rails wait for one that is awaited: that is shown where nobody else is paid, restored-rails.crash-spec.ts.
  test('that lists nothing is compared with by hand, with a line in the audit log, and no other', async () => {
    expect(await rail('unlisted_rail')).toMatchObject({ awaitedSince: null });
    const said = await operator('POST', '/rails/unlisted_rail/compared');
    expect([said.status, said.body]).toEqual([200, { name: 'unlisted_rail', awaitedSince: null }]);
    const listed = await operator('POST', '/rails/claim_rail/compared');
    expect([listed.status, listed.body]).toMatchObject([
      409,
      { error: 'illegal_transition', message: expect.stringContaining('`reconcile`') },
    ]);
    expect((await operator('POST', '/rails/unwired_rail/compared')).status).toBe(200);
    expect((await operator('POST', '/rails/nobody/compared')).status).toBe(404);
    const { data } = (await operator('GET', '/audit?limit=50')).body;
    const lines = data.flatMap(({ action, target }: Json) =>
      action.startsWith('rail.compare') ? [`${action} ${target}`] : [],
    );
    expect(lines).toEqual(expect.arrayContaining(['rail.compared unlisted_rail', 'rail.compare_refused claim_rail']));
  });
});
