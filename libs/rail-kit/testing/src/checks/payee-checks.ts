/** Payees who are checked before their money goes on: nobody is cleared whom the provider did not clear, and links are whose they are. */
import { checksPayees, type CheckLinkAnswer, type PayeeCheckAnswer, type RailOrder } from '#libs/rail-kit';
import type { RailBench } from '../bench';
import { can, type Check, given } from '../check';
import type { CheckEvent, ProviderOutcome } from '../subject';

const WHY = 'The photograph is blurred.';
const VISIT = { returnUrl: 'https://pay.example/back', refreshUrl: 'https://pay.example/again', locale: 'de-DE' };

export const PAYEE_CHECKS: Check[] = [
  {
    title: 'checks payees: whom nobody checked has something to do, and to ask moves and clears nothing',
    ...ofChecks('payee_begins'),
    run: async (bench) => {
      const order = await waiting(bench);
      for (let times = 0; times < 3; times += 1) expect(await kindOf(bench, order)).toBe('to_do');
      await bench.payeeCheckLink(order, VISIT);
      expect(await kindOf(bench, order)).toBe('to_do');
      expect(await bench.movements(order)).toEqual([]);
    },
  },
  {
    title: 'checks payees: it says what the provider found out, also another process, and what was taken back is over',
    ...ofChecks('payee_begins'),
    run: async (bench) => {
      const order = await waiting(bench);
      const events: CheckEvent[] = [
        { kind: 'checking' },
        { kind: 'rejected', reason: WHY },
        { kind: 'cleared' },
        { kind: 'rejected', reason: WHY },
        { kind: 'cleared' },
      ];
      for (const event of events) {
        await finds(bench, order, event);
        const told = can(bench, 'rejection_reason') ? event : withAnyReason(event);
        expect(await bench.checkPayee(order)).toEqual(told);
        bench.restart();
        expect(await bench.checkPayee(order)).toEqual(told);
      }
    },
  },
  {
    title: 'checks payees: who was cleared is, and nobody else',
    ...ofChecks('payee_begins'),
    run: async (bench) => {
      const [one, other] = [await waiting(bench), await waiting(bench)];
      await finds(bench, one, { kind: 'cleared' });
      expect([await kindOf(bench, one), await kindOf(bench, other)]).toEqual(['cleared', 'to_do']);
      bench.restart();
      expect([await kindOf(bench, other), await kindOf(bench, one)]).toEqual(['to_do', 'cleared']);
    },
  },
  {
    title: 'checks payees: a provider that cannot be asked clears nobody, and can be asked again',
    ...ofChecks('check_down'),
    run: async (bench) => {
      const order = await waiting(bench, 'check_down');
      expect(['unknown', 'not_now']).toContain(await kindOf(bench, order));
      expect(await kindOf(bench, order)).toBe('to_do');
    },
  },
  {
    title: 'checks payees: each link is new and private',
    ...ofChecks('payee_begins'),
    run: async (bench) => {
      const order = await waiting(bench);
      const links = [await bench.payeeCheckLink(order, VISIT), await bench.payeeCheckLink(order, VISIT)];
      const urls = links.map((link) => (link.kind === 'link' ? link.url : link.kind));
      expect(new Set(urls).size).toBe(2);
      for (const link of links) expectPrivate(bench, link);
    },
  },
];

function ofChecks(outcome: ProviderOutcome): Pick<Check, 'needs' | 'power'> {
  return { needs: [outcome], power: checksPayees };
}

/** A payee is told something, also by a provider that never says why. */
function withAnyReason(event: CheckEvent): CheckEvent {
  return event.kind === 'rejected' ? { ...event, reason: expect.stringMatching(/\S/) as string } : event;
}

/** An order whose money waits for its payee. */
async function waiting(bench: RailBench, outcome: ProviderOutcome = 'payee_begins'): Promise<RailOrder> {
  const order = await bench.arrange(outcome);
  const { kind } = await bench.submit(order);
  expect(kind).toBe('awaiting_payee');
  return order;
}

async function finds({ world }: RailBench, order: RailOrder, event: CheckEvent): Promise<void> {
  await given(world.finds, 'finds').call(world, order, event);
}

async function kindOf(bench: RailBench, order: RailOrder): Promise<PayeeCheckAnswer['kind']> {
  return (await bench.checkPayee(order)).kind;
}

function expectPrivate(bench: RailBench, link: CheckLinkAnswer): void {
  if (link.kind !== 'link') return;
  expect(link.url).toMatch(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/);
  if (link.expiresAt) expect(link.expiresAt.getTime()).toBeGreaterThan(bench.now().getTime());
}
