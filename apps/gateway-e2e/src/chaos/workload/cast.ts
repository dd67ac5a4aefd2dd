/** Who is there before anything goes wrong: clients of each kind, with a few payees each, so that their money meets often. */
import { operatorWords } from './operator-words';
import type { Caller } from './caller';
import { CURRENCY, type Model, type Party, type Payee } from './model';

interface Role {
  name: string;
  /** A payee on each of these. */
  rails: string[];
  settings: Record<string, unknown>;
}

const COUNTRY: Record<string, string> = { mock: 'US', custodial_a: 'FR', claim_rail: 'DE', swap_rail: 'IT' };
const LIVE = { testMode: false, coolDownSeconds: 3 };
const ROLES: Role[] = [
  { name: 'testing', rails: ['mock', 'mock', 'mock'], settings: { testMode: true } },
  { name: 'accounts', rails: ['custodial_a', 'custodial_a', 'custodial_a'], settings: LIVE },
  { name: 'links', rails: ['claim_rail', 'claim_rail', 'claim_rail'], settings: LIVE },
  { name: 'swaps', rails: ['swap_rail', 'swap_rail', 'swap_rail'], settings: LIVE },
  { name: 'prepaid', rails: ['custodial_a', 'claim_rail', 'swap_rail'], settings: { ...LIVE, prepaid: true } },
];
export const DAILY_CENTS = 1_000_000_000;
const FIRST_DEPOSIT_CENTS = 60_000;

export async function castOf(caller: Caller, model: Model): Promise<void> {
  const routes = { FR: ['custodial_a'], DE: ['claim_rail'], IT: ['swap_rail'] };
  await caller.asOperator({ method: 'PUT', path: '/routes', body: { routes }, what: 'routes' });
  for (const role of ROLES) model.parties.push(await partyOf(caller, role));
  for (const party of model.parties) {
    const { rails = [] } = ROLES.find(({ name }) => name === party.name) ?? {};
    for (const [index, rail] of rails.entries())
      party.payees.push(await payeeOf(caller, model, party, { rail, index }));
  }
  await operatorWords(caller, model).deposit(model.parties.at(-1) as Party, FIRST_DEPOSIT_CENTS, 'first');
}

async function partyOf(caller: Caller, { name, settings }: Role): Promise<Party> {
  const body = { name, ...settings, defaultCurrency: CURRENCY, caps: { dailyCents: DAILY_CENTS } };
  const answer = await caller.asOperator({ method: 'POST', path: '/clients', body, what: `a client, ${name}` });
  const { client, apiKey, signingSecret } = answer.body;
  return { name, id: client.id, key: apiKey, secret: signingSecret, testMode: client.testMode, payees: [] };
}

async function payeeOf(
  caller: Caller,
  model: Model,
  party: Party,
  { rail, index }: { rail: string; index: number },
): Promise<Payee> {
  const externalId = `${party.name}-${index + 1}`;
  const email = `${externalId}@first.example`;
  const body = { externalId, email, name: `Payee ${externalId}`, country: COUNTRY[rail] };
  const { id } = (await caller.asClient(party, { method: 'POST', path: '/payees', body, what: 'a payee' })).body;
  const account = rail === 'custodial_a' ? `acct_${externalId}` : null;
  const payee: Payee = { party, id, externalId, rail, account };
  if (rail === 'mock')
    await caller.asClient(party, {
      ...{ method: 'POST', path: `/test/payees/${id}/onboarding`, body: { outcome: 'verified' }, what: 'onboarding' },
    });
  if (account)
    await caller.asClient(party, {
      ...{ method: 'POST', path: `/payees/${id}/methods`, what: 'an account' },
      body: { provider: rail, providerAccountId: account },
    });
  model.spell(model.emails, payee, email)({ tries: 1 });
  return payee;
}
