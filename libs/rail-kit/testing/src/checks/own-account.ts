/** The rail's own account at its provider: what moved through it, what lies in it, and whose it is. */
import {
  listsMovements,
  type RailMovement,
  type RailTraits,
  reportsFunding,
  stepOf,
  type VerificationAnswer,
  verifies,
} from '#libs/rail-kit';
import { listedBy, RailBench } from '../bench';
import { can, type Check, demand, given, refOf } from '../check';
import { servedCurrencies } from '../order';
import { ON_A_PAGE, PROVIDER_OUTCOMES } from '../subject';

const FOREVER = new Date(0);
/** In minor units. The second account has nothing that can be paid out. */
const HELD = [
  { availableCents: 1_234_567, pendingCents: 89_012 },
  { availableCents: 0, pendingCents: 345_678 },
];

export const OWN_ACCOUNT: Check[] = [
  {
    title: 'lists movements: what moved is there once, what was refused is not, and what is older is left out',
    needs: ['settle'],
    power: listsMovements,
    run: async (bench) => {
      const refusal = PROVIDER_OUTCOMES.find((outcome) => outcome.startsWith('refuse_') && can(bench, outcome));
      const paid = await bench.arrange('settle');
      const fact = await bench.submit(paid);
      if (refusal) await bench.submit(await bench.arrange(refusal));
      const [movement, ...others] = await listed(bench);
      expect(others).toEqual([]);
      const { railKey, amountCents, currency } = paid;
      expect(movement?.direction ?? 'out').toBe('out');
      expect(movement).toMatchObject({ railKey, amountCents, currency, providerRef: refOf(fact) });
      const after = new Date((movement?.movedAt.getTime() ?? 0) + 60_000);
      expect(await listed(bench, after)).toEqual([]);
    },
  },
  {
    title: 'lists movements: those of all pages, each of them once',
    needs: ['settle', 'pages'],
    power: listsMovements,
    run: async (bench) => {
      const railKeys: string[] = [];
      while (railKeys.length <= 2 * ON_A_PAGE) {
        const order = await bench.arrange('pages');
        await bench.submit(order);
        railKeys.push(order.railKey);
      }
      const told = (await listed(bench)).map(({ railKey }) => railKey);
      const missing = railKeys.filter((railKey) => !told.includes(railKey));
      demand(
        missing.length === 0,
        `${missing.length} of ${railKeys.length} payments are not among the rail's movements: the provider lists ${ON_A_PAGE} on a page. ` +
          'Ask for the next page until it says that there is none: an `async function*` hands them on one by one.',
      );
      demand(
        told.length === railKeys.length,
        `${railKeys.length} payments were made, and ${told.length} movements are listed: some stand on two pages. Begin each page after the last one of the page before.`,
      );
    },
  },
  {
    title: 'reports funding: whole minor units, once for each currency, and the same when nothing happened',
    needs: [],
    power: reportsFunding,
    run: async ({ rail }) => {
      if (!reportsFunding(rail)) throw lacking();
      const funds = await rail.funding();
      for (const { currency, availableCents } of funds) {
        expect(currency).toMatch(/^[A-Z]{3}$/);
        expect(Number.isSafeInteger(availableCents)).toBe(true);
      }
      expect(new Set(funds.map(({ currency }) => currency)).size).toBe(funds.length);
      expect(await rail.funding()).toEqual(funds);
    },
  },
  {
    title: 'reports funding: what can be paid out now, to the minor unit, in each kind of currency',
    needs: [],
    power: reportsFunding,
    run: async (bench) => {
      const { world, traits } = bench;
      const holds = given(world.holds, 'holds');
      let areHeld = false;
      for (const currency of servedCurrencies(traits))
        for (const { availableCents, pendingCents } of HELD) {
          const available = countable(traits, currency, availableCents);
          const pending = countable(traits, currency, pendingCents);
          const held = { currency, availableCents: available, pendingCents: pending };
          if ((await holds.call(world, held)) === false) continue;
          areHeld = true;
          const told = await fundsOf(bench, currency);
          demand(told === available, balanceComplaint(currency, told, { available, pending }));
        }
      demand(areHeld, "The test's world says of every currency that the account never holds it: let `holds` set one.");
    },
  },
  {
    title: 'verifies: whose account it is, the same word in another process, and that no money is real there',
    needs: [],
    power: verifies,
    run: async (bench) => {
      const [first, again] = [await works(bench), await works(bench)];
      demand(
        first.account.trim() !== '' && first.account === again.account,
        `\`account\` was '${first.account}', and then '${again.account}': take the id that the provider has for its account.`,
      );
      demand(
        first.mode === 'sandbox',
        `In the test's world no money is real, and \`mode\` is '${first.mode}'. Tell it from what the provider or the key says.`,
      );
    },
  },
  {
    title: 'verifies: another account has another word',
    needs: [],
    power: verifies,
    run: async (bench) => {
      const { account } = await works(bench);
      await elsewhere(bench, async (other) => {
        demand(
          (await works(other)).account !== account,
          `Of another account of the provider the rail says '${account}' as well. Payouts would be looked for where nobody knows them: ` +
            "tell the provider's id of the account. (If both worlds have one account: look at `whose` of the test's world.)",
        );
      });
    },
  },
  {
    title: 'verifies: where money is real the mode is live',
    needs: ['live_mode'],
    power: verifies,
    run: async (bench) =>
      elsewhere(bench, async (live) => {
        const { mode } = await works(live);
        demand(
          mode === 'live',
          `With the settings of an account in which money is real \`mode\` is '${mode}'. Tell it from what the provider or the key says.`,
        );
      }),
  },
  {
    title: 'verifies: a secret that the provider does not know is rejected',
    needs: [],
    power: verifies,
    run: async (bench) => {
      const { definition, cannotVerify = {} } = bench.subject;
      for (const { env } of definition.settings.filter(({ secret }) => secret)) {
        const { [env]: value = '' } = bench.world.settings;
        if (value === '' || Object.hasOwn(cannotVerify, env)) continue;
        const { kind } = await bench.verify({ [env]: spoiled(value) });
        demand(
          kind === 'rejected',
          `With another value of ${env} \`verify\` answers '${kind}'. Make a call that needs it, and say \`rejected\` if the provider does not ` +
            "know it. If no call that moves nothing tells, say why in `cannotVerify` of the rail's spec.",
        );
      }
    },
  },
  {
    title: 'verifies: a provider that cannot be asked is unknown: no reason to reject, and none to trust',
    needs: ['server_error'],
    power: verifies,
    run: async (bench) => {
      const gone = await RailBench.open(bench.subject);
      await gone.close();
      const { kind } = await gone.verify();
      demand(
        kind === 'unknown' || kind === 'not_now',
        `Nobody answers at the provider, and \`verify\` says '${kind}'. Say \`unknown\`: with \`rejected\` all payouts of the rail stop.`,
      );
    },
  },
];

async function listed({ rail }: RailBench, since: Date = FOREVER): Promise<RailMovement[]> {
  if (!listsMovements(rail)) throw lacking();
  return listedBy(rail, since);
}

async function fundsOf({ rail }: RailBench, currency: string): Promise<number> {
  if (!reportsFunding(rail)) throw lacking();
  return (await rail.funding()).find((each) => each.currency === currency)?.availableCents ?? 0;
}

/** As far as the provider counts. */
function countable(traits: RailTraits, currency: string, cents: number): number {
  return cents - (cents % stepOf(traits, currency));
}

function balanceComplaint(currency: string, told: number, held: { available: number; pending: number }): string {
  return (
    `In the account lie ${held.available} minor units of ${currency} that can be paid out, and ${held.pending} that cannot yet: the rail tells ${told}. ` +
    'Tell the available ones alone, in minor units of ISO 4217: `ourAmount` makes them of what the provider counts.'
  );
}

async function works(bench: RailBench): Promise<Extract<VerificationAnswer, { kind: 'works' }>> {
  const answer = await bench.verify();
  demand(
    answer.kind === 'works',
    `The credentials of the test's world are good, and \`verify\` answers '${answer.kind}'.`,
  );
  return answer;
}

async function elsewhere(bench: RailBench, look: (other: RailBench) => Promise<void>): Promise<void> {
  const other = await RailBench.open(bench.subject, 'another');
  try {
    await look(other);
  } finally {
    await other.close();
  }
}

/** Another secret of the same form: one digit, or one letter, of the last that it has is another. */
function spoiled(secret: string): string {
  return secret.replace(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/, (last) => {
    const [one = '0', other = '1'] = /[0-9]/.test(last) ? '01' : /[A-Z]/.test(last) ? 'AB' : 'ab';
    return last === one ? other : one;
  });
}

const lacking = (): Error => new Error('This check is not for a rail without the power.');
