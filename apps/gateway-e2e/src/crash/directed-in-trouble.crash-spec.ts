/** A caller who says how their test payout ends is told to come back if the database is lost meanwhile, and not that the payout cannot take the step. */
import { beginRun, type PayoutRun } from '../harness/payout-run';
import { POOL, type Proxied, startProxied, stopProxied } from '../harness/proxied';

describe('a test that directs its payout while a connection is lost', () => {
  let proxied: Proxied;
  let run: PayoutRun;
  beforeAll(async () => {
    proxied = await startProxied();
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  test.each(['settle', 'claim'])('is told to come back: %s', async (step) => {
    const reason = step === 'claim' ? 'mock:claim' : 'mock:pending';
    const { id } = (await run.client.payout(run.payee.id, { reason })).body;
    proxied.ofApi.decide = ({ application, sql }) =>
      application === POOL && sql.startsWith('UPDATE rail_records') ? 'ended before' : 'pass';
    const { status, body, headers } = await run.client.post(`/test/payouts/${id}/${step}`);
    proxied.ofApi.decide = () => 'pass';
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  });
});
