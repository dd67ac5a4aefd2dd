/** What an operator does at night: finds what waits, has it looked at, and lets go on together what was held for one cause. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiClient, eventually, type Json, newClient, operator, underTest } from './harness/api';
import { readPayout, reachesStatus } from './harness/money';
import { ROOT } from './harness/root';

const released = (body: Json): Promise<Json> => operator('POST', '/payouts/release', body);

describe('payouts that are held for one reason', () => {
  let client: ApiClient;
  let held: string[];

  beforeEach(async () => {
    client = await newClient();
    const { id } = await client.payee();
    held = [];
    for (let nth = 0; nth < 3; nth += 1) held.push((await client.payout(id)).body.id);
    await client.post(`/test/payees/${id}/onboarding`, { outcome: 'verified' });
  });
  const mine = { reason: 'not_payable' };

  test('are listed, and none is released, when somebody only looks', async () => {
    const { status, body } = await released({ ...mine, clientId: client.id, dryRun: true });
    expect(status).toBe(200);
    expect(body.data.map(({ id }: Json) => id)).toEqual(held);
    expect(body.data[0]).toMatchObject({ clientId: client.id, amountCents: 1000, status: 'held', error: null });
    for (const id of held) expect((await readPayout(client, id)).status).toBe('held');
  });

  test('go on page by page, oldest first, each with its line in the audit log', async () => {
    const first = await released({ ...mine, clientId: client.id, limit: 2 });
    expect(first.body.data.map(({ id, status }: Json) => [id, status])).toEqual([
      [held[0], 'paid'],
      [held[1], 'paid'],
    ]);
    expect((await readPayout(client, held[2] as string)).status).toBe('held');
    const second = await released({ ...mine, clientId: client.id, limit: 2, cursor: first.body.nextCursor });
    expect(second.body.data.map(({ id }: Json) => id)).toEqual([held[2]]);
    expect(second.body.nextCursor).toBeNull();
    const { body } = await operator('GET', `/audit?clientId=${client.id}&action=payout.released`);
    expect(body.data.map(({ target }: Json) => target)).toEqual([...held].reverse());
  });

  test('are those of another reason, another client or another time', async () => {
    const none = [
      { reason: 'missing_email', clientId: client.id },
      { ...mine, clientId: (await newClient()).id },
      { ...mine, clientId: client.id, before: '2020-01-01T00:00:00Z' },
    ];
    for (const body of none) expect((await released({ ...body, dryRun: true })).body.data).toEqual([]);
  });

  test('stay held for as long as their cause stands, and say so', async () => {
    const { id } = await client.payee();
    const { body } = await client.payout(id);
    const answer = await released({ ...mine, clientId: client.id });
    const row = answer.body.data.find((one: Json) => one.id === body.id);
    expect(row).toMatchObject({ status: 'held', statusReason: expect.stringContaining('not_payable') as string });
  });

  test('are refused while their client is suspended, each in words', async () => {
    await operator('PATCH', `/clients/${client.id}`, { status: 'suspended' });
    const { body } = await released({ ...mine, clientId: client.id });
    expect(body.data.map(({ id }: Json) => id)).toEqual(held);
    for (const row of body.data)
      expect(row).toMatchObject({
        status: 'held',
        error: 'payout_not_releasable',
        message: expect.stringContaining('The client is suspended') as string,
      });
  });

  test.each([
    {},
    { reason: '' },
    { reason: 'not_payabel' },
    { reason: 'bank_returned' },
    { ...mine, limit: 0 },
    { ...mine, before: 'yesterday' },
    { ...mine, cursor: 'x' },
  ])('are not asked for with %p', async (body) => {
    expect((await released(body)).status).toBe(400);
  });
});

describe('a payout that somebody waits for', () => {
  test('has a job, which is found by its id, and is looked at when somebody says so', async () => {
    const client = await newClient();
    const { id } = (await client.payout((await client.payablePayee()).id, { reason: 'mock:pending' })).body;
    await reachesStatus(client, id, 'submitted');
    const jobs = await eventually(
      async () => (await operator('GET', `/jobs?entityId=${id}&name=payout.drive`)).body.data as Json[],
      (found) => found.length > 0,
    );
    expect(jobs[0]).toMatchObject({ entityId: id, lane: 'mock', taken: expect.any(Boolean) as boolean });
    const { body } = await operator('GET', '/jobs/backlog');
    expect(body.data.find(({ name }: Json) => name === 'payout.drive')).toMatchObject({
      waiting: expect.any(Number) as number,
    });
    const looked = await operator('POST', `/payouts/${id}/look`, {});
    expect([looked.status, looked.body.id]).toEqual([200, id]);
    const audit = await operator('GET', `/audit?clientId=${client.id}&actor=root&action=payout`);
    expect(audit.body.data.map(({ action }: Json) => action)).toContain('payout.looked_at');
  });

  test('shows its last send and what its rail said, and when it is asked again', async () => {
    const client = await newClient();
    const { id: payeeId } = await client.payablePayee();
    const shown = async (reason: string): Promise<Json> => {
      const { id } = (await client.payout(payeeId, { reason })).body;
      return (await operator('GET', `/payouts/${id}`)).body;
    };
    const { railKey, ...pending } = await shown('mock:pending');
    expect(pending).toMatchObject({
      lastAttempt: { number: 1, leg: null, code: railKey, open: false, sentAt: expect.stringMatching(/Z$/) as string },
      lastAnswer: { answer: 'accepted' },
    });
    expect(pending.jobs.map(({ name }: Json) => name)).toContain('payout.drive');
    const failed = await shown('mock:fail_transient');
    expect(failed.lastAnswer).toMatchObject({
      ...{ answer: 'refused', failureKind: 'transient', statusReason: failed.statusReason },
    });
    expect((await shown('mock:hold_not_payable')).lastAttempt).toBeNull();
  });

  test('is not looked at if it was never sent, and says what holds it', async () => {
    const client = await newClient();
    const { body } = await client.payout((await client.payee()).id);
    const looked = await operator('POST', `/payouts/${body.id}/look`, {});
    expect([looked.status, looked.body.error]).toEqual([409, 'illegal_transition']);
    expect((await operator('POST', `/payouts/${randomUUID()}/look`, {})).status).toBe(404);
  });
});

describe('a step that a payout cannot take', () => {
  test.each(['fail', 'release', 'retry'])('%s: while it is under way, its rail can be asked', async (step) => {
    const client = await newClient();
    const { id } = (await client.payout((await client.payablePayee()).id, { reason: 'mock:pending' })).body;
    await reachesStatus(client, id, 'submitted');
    const { status, body } = await operator('POST', `/payouts/${id}/${step}`, {});
    expect([status, body.message]).toEqual([
      409,
      expect.stringMatching(`submitted.* It is under way: \`gw payouts look ${id}\` asks its rail now`),
    ]);
  });

  test('retry: of what is held, and release: of what failed, name each other', async () => {
    const client = await newClient();
    const held = (await client.payout((await client.payee()).id)).body.id;
    const payee = await client.payablePayee();
    const failed = (await client.payout(payee.id, { reason: 'mock:fail_transient' })).body.id;
    await reachesStatus(client, failed, 'failed');
    const said = async (id: string, step: string): Promise<string> =>
      (await operator('POST', `/payouts/${id}/${step}`, {})).body.message;
    expect(await said(held, 'retry')).toBe(
      `The payout is held, not failed. \`gw payouts release ${held}\` puts it to its gates again.`,
    );
    expect(await said(failed, 'release')).toBe(
      `The payout is failed, not held. \`gw payouts retry ${failed}\` tries it again.`,
    );
  });
});

describe('the audit log', () => {
  test('is found by who did what, and when', async () => {
    const client = await newClient();
    const since = (await operator('GET', `/audit?clientId=${client.id}`)).body.data.at(-1).createdAt;
    await operator('PATCH', `/clients/${client.id}`, { caps: { singleCents: 500 } });
    const found = async (query: string): Promise<string[]> =>
      (await operator('GET', `/audit?clientId=${client.id}&${query}`)).body.data.map(({ action }: Json) => action);
    const all = await found('actor=root');
    expect(all).toHaveLength(2);
    expect(await found('action=client')).toEqual(all);
    expect(await found('action=clien')).toEqual([]);
    expect(await found(`action=${all[0]}`)).toEqual([all[0]]);
    expect(await found('actor=nobody')).toEqual([]);
    expect(await found(`to=${encodeURIComponent(since)}`)).toEqual([]);
    expect(await found(`from=${encodeURIComponent(since)}`)).toEqual(all);
    for (const query of ['from=yesterday', 'actor=', 'action='])
      expect((await operator('GET', `/audit?${query}`)).status).toBe(400);
  });

  test('has a word of its own for a client that was suspended, resumed or closed', async () => {
    const client = await newClient();
    for (const change of [{ status: 'suspended' }, { status: 'active' }, { name: 'Renamed' }, { status: 'closed' }])
      expect((await operator('PATCH', `/clients/${client.id}`, change)).status).toBe(200);
    const { body } = await operator('GET', `/audit?clientId=${client.id}`);
    const words = ['closed', 'updated', 'resumed', 'suspended', 'created'];
    expect(body.data.map(({ action }: Json) => action)).toEqual(words.map((word) => `client.${word}`));
  });
});

describe('what is told for alarms', () => {
  const scraped = async (): Promise<string> => (await fetch(`${underTest().urls[0]}/metrics`)).text();

  test('is all that the alerts and the dashboard ask for', async () => {
    const files = ['docker/alerts.yml', 'docker/dashboard.json'].map((file) => readFileSync(join(ROOT, file), 'utf8'));
    const text = await scraped();
    for (const name of new Set(files.join('\n').match(/gw_[a-z_]+/g)))
      expect(text).toContain(`# HELP ${name.replace(/_(count|bucket)$/, '')} `);
  });

  test('counts what is held, and how long work waits', async () => {
    const client = await newClient();
    await client.payout((await client.payee()).id);
    const text = await eventually(scraped, (now) => /gw_payouts_held\{reason="not_payable"\} [1-9]/.test(now));
    expect(text).toMatch(/^gw_wallets_overdrawn [0-9]+$/m);
    expect(text).toMatch(/^gw_queue_trouble 0$/m);
  });
});
