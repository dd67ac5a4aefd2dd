/**
 * Random histories of owed money on rails that settle later, one of each kind, while the workers release it by themselves:
 * rows are pushed and withdrawn, accounts become payable and stop being so, providers settle, refuse and send back.
 */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, underTest } from '../harness/api';
import { query } from '../harness/database';
import { brokenInvariants } from '../harness/invariants';
import { deposit, payeeWithAccount, putRoutes, runJob } from '../harness/money';
import { owedRow, push, withdraw } from '../harness/owed';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);
const DAILY_CENTS = 5_000;

type Step =
  | { kind: 'push'; payee: number; cents: number; currency: string }
  | { kind: 'withdraw'; payee: number }
  | { kind: 'flip'; payable: boolean }
  | { kind: 'deposit'; cents: number; currency: string }
  | { kind: 'settle' | 'refuse' | 'bounce' | 'retry' | 'release'; of: number }
  | { kind: 'reconcile' | 'payability' };

const currency = fc.constantFrom('EUR', 'EUR', 'USD');
const payee = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      payee,
      cents: fc.integer({ min: 1, max: 900 }),
      currency,
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant('withdraw' as const), payee }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('flip' as const), payable: fc.boolean() }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant('deposit' as const),
      cents: fc.integer({ min: 1, max: 2_000 }),
      currency,
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constantFrom('settle' as const, 'refuse', 'bounce', 'retry', 'release'),
      of: fc.nat(30),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constantFrom('reconcile' as const, 'payability') }), weight: 2 },
);

interface World {
  client: ApiClient;
  payees: Json[];
  account: string;
  pushedCents: number;
}

/** A provider only does what it can still do. */
const TURNS = {
  settle: { from: 'accepted', change: { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' } },
  refuse: { from: 'accepted', change: { state: 'refused', failure: 'transient', reason: 'not now' } },
  bounce: { from: 'settled', change: { state: 'bounced', feeCents: 7 } },
} as const;

async function newWorld(): Promise<World> {
  const caps = { singleCents: 4_000, dailyCents: DAILY_CENTS };
  const client = await newClient({ testMode: false, prepaid: true, caps, coolDownSeconds: 0 });
  const account = `acct_${randomUUID()}`;
  const payees = [
    await client.payee({ country: 'IT' }),
    await client.payee({ country: 'DE' }),
    await payeeWithAccount(client, 'custodial_a', account, { country: 'FR' }),
  ];
  return { client, payees, account, pushedCents: 0 };
}

async function turnAtTheRail(payoutId: string, { from, change }: (typeof TURNS)[keyof typeof TURNS]): Promise<void> {
  await query(
    underTest().databaseUrl,
    `UPDATE rail_records SET value = value || $2::jsonb, changed_at = clock_timestamp()
     WHERE key = (SELECT 'payment:' || rail_key FROM payouts WHERE id = $1) AND value ->> 'state' = $3`,
    [payoutId, JSON.stringify(change), from],
  );
}

/** Where the rail and we still disagree about money of this client. */
const driftOf = (client: ApiClient): Promise<Json[]> =>
  query(
    underTest().databaseUrl,
    `SELECT drift.*, payouts.status, payouts.superseded_by, payouts.provider, payouts.failure_kind,
       (SELECT json_agg(value) FROM rail_records WHERE key = 'payment:' || payouts.rail_key) AS record,
       (SELECT json_agg(t ORDER BY sequence) FROM payout_trail AS t WHERE payout_id = payouts.id) AS trail
     FROM drift JOIN payouts ON payouts.id = drift.payout_id
     WHERE client_id = $1 AND resolved_at IS NULL`,
    [client.id],
  );

async function flip({ account }: World, payable: boolean): Promise<void> {
  await query(
    underTest().databaseUrl,
    `INSERT INTO rail_records (rail, key, value) VALUES ('custodial_a', 'account:' || $1, $2)
     ON CONFLICT (rail, key) DO UPDATE SET value = excluded.value`,
    [account, JSON.stringify({ payable })],
  );
  await query(underTest().databaseUrl, `UPDATE methods SET ask_at = now() WHERE provider_account_id = $1`, [account]);
}

async function take(world: World, payouts: string[], one: Step): Promise<void> {
  const { client, payees } = world;
  switch (one.kind) {
    case 'push': {
      const row = owedRow(payees[one.payee].id, { amountCents: one.cents, currency: one.currency });
      expect((await push(client, [row])).body.results[0].status).toBe('ok');
      world.pushedCents += one.cents;
      return;
    }
    case 'withdraw':
      return expect([200, 409]).toContain((await withdraw(client, payees[one.payee].id)).status);
    case 'flip':
      return flip(world, one.payable);
    case 'deposit':
      expect((await deposit(client, one.cents, { currency: one.currency })).status).toBe(201);
      return;
    case 'reconcile':
    case 'payability':
      await runJob(one.kind);
      return;
    default: {
      const id = payouts[one.of % payouts.length];
      if (!id) return;
      if (one.kind !== 'retry' && one.kind !== 'release') return turnAtTheRail(id, TURNS[one.kind]);
      expect([200, 409]).toContain((await client.post(`/payouts/${id}/${one.kind}`)).status);
    }
  }
}

describe('properties of owed money', () => {
  beforeAll(putRoutes);

  test('hold through any history on rails of each kind', async () => {
    const sources = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 10 }), { minLength: 5, maxLength: 15 }),
        async (rounds) => {
          const world = await newWorld();
          const { client } = world;
          let payouts: string[] = [];
          for (const steps of rounds) {
            await Promise.all(steps.map((one) => take(world, payouts, one)));
            const { pushedCents } = world;
            const broken = await brokenInvariants({ clientId: client.id, dailyCents: DAILY_CENTS, pushedCents });
            expect(broken).toEqual([]);
            const { data } = (await client.get('/payouts')).body;
            payouts = data.map(({ id }: Json) => id);
            for (const { source } of data) sources.add(source);
          }
          await runJob('reconcile');
          expect(await driftOf(client)).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    );
    expect([...sources].sort()).toEqual(['auto_release', 'withdraw']);
  }, 600_000);
});
