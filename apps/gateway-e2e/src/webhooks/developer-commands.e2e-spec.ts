/** What a developer gets on a machine without a public address: events of a test-mode client, made to happen and handed on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { verifyWebhook } from '#libs/sdk';
import { type ApiClient, eventually, newClient, underTest } from '../harness/api';
import { WebhookCatcher } from '../harness/webhook-catcher';

const GW = join(__dirname, '../../../../tools/gw.mjs');

interface Outcome {
  code: number | null;
  out: string;
}

function gw(client: ApiClient, ...words: string[]): { outcome: Promise<Outcome>; output: () => string } {
  const env = {
    ...process.env,
    GATEWAY_URL: underTest().urls[0],
    GATEWAY_KEY: client.key,
    GATEWAY_SECRET: client.secret,
  };
  const child = spawn(process.execPath, [GW, ...words], { env });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (out += String(part)));
  const outcome = once(child, 'close').then(([code]) => ({ code: code as number | null, out }));
  return { outcome, output: () => out };
}

describe('gw listen and gw trigger', () => {
  test('hand on, in order and signed, what they make happen', async () => {
    const client = await newClient();
    const catcher = await new WebhookCatcher().start();
    const listening = gw(client, 'listen', '--forward', catcher.url, '--count', '7');
    await eventually(
      () => Promise.resolve(listening.output()),
      (output) => output.includes('Ctrl-C ends it.'),
    );
    const { code, out } = await gw(client, 'trigger', 'payout.returned', '--json').outcome;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('status', 'returned');
    expect((await listening.outcome).code).toBe(0);
    const payout = JSON.parse(out) as { id: string };
    const statuses = catcher.received.flatMap(({ rawBody, headers }) => {
      const event = verifyWebhook(rawBody, headers, client.secret);
      return event.type === 'payout.status' && event.transactionId === payout.id ? [event.status] : [];
    });
    expect(statuses).toEqual(['requested', 'authorized', 'submitted', 'paid', 'returned']);
    await catcher.stop();
  });

  test.each([
    ['payout.held', 'held'],
    ['payout.failed', 'failed'],
    ['payout.failed_transient', 'failed'],
    ['payout.submitted', 'submitted'],
    ['payout.paid', 'paid'],
  ])('trigger %s ends in a payout that is %s', async (name, status) => {
    const { out } = await gw(await newClient(), 'trigger', name, '--json').outcome;
    expect((JSON.parse(out) as { status: string }).status).toBe(status);
  });

  test('say what is wrong with what they are told', async () => {
    const [client, live] = [await newClient(), await newClient({ testMode: false })];
    const complaints = await Promise.all([
      gw(client, 'trigger', 'payout.lost').outcome,
      gw(live, 'trigger', 'payout.paid').outcome,
      gw(client, 'listen', '--forward', 'localhost:4000').outcome,
    ]);
    expect(complaints.map(({ code }) => code)).toEqual([2, 1, 2]);
    expect(complaints[0]?.out).toContain("There is no 'payout.lost' to trigger, only payee.updated,");
    expect(complaints[1]?.out).toContain('Only a client in test mode can trigger events');
    expect((await live.get('/payees')).body).toHaveProperty('data', []); // it left nothing behind
    expect(complaints[2]?.out).toContain('--forward takes an http or https URL');
  });
});
