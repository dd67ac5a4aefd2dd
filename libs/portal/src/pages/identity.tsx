/** Before a payment goes on its payee is checked: what there is to do, or how it stands. */
import type { Sentence } from '#libs/payee-words';
import type { Payout } from '#libs/payout-rules';
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark, type Mood } from './mark';
import { reasonToSay } from './portal-words';

export type IdentityStep = 'to_do' | 'checking' | 'rejected' | 'cannot' | 'refused' | 'later' | 'often';

export interface IdentityPage extends PageFrame {
  payout: Payout;
  from: string;
  form: string;
  step: IdentityStep;
  /** Why they were not let through, in the provider's words; null: it did not say. */
  reason: string | null;
}

interface Look {
  heading: Sentence;
  text: Sentence;
  mood: Mood | null;
  /** Leads to the provider. */
  button?: Sentence;
  /** Looks once more how it stands. */
  again?: Sentence;
}

const LOOKS: Record<IdentityStep, Look> = {
  to_do: { heading: 'identity.heading', text: 'identity.text', mood: null, button: 'start.button' },
  checking: { heading: 'checking.heading', text: 'identity.checking', mood: 'wait', again: 'identity.again' },
  rejected: { heading: 'rejected.heading', text: 'identity.rejected', mood: 'bad', button: 'rejected.button' },
  cannot: { heading: 'refused.heading', text: 'identity.refused', mood: 'bad' },
  refused: { heading: 'refused.heading', text: 'identity.refused', mood: 'bad' },
  later: { heading: 'later.heading', text: 'later.text', mood: 'wait', again: 'later.button' },
  often: { heading: 'often.heading', text: 'often.text', mood: 'wait' },
};

export function identityPage({ payout, from, form, step, reason, ...frame }: IdentityPage): string {
  const { words } = frame;
  const say = (sentence: Sentence): string => words.say(sentence, { from });
  const { heading, text, mood, button, again } = LOOKS[step];
  const why = reasonToSay(reason);
  const place = `/portal/payments/${payout.id}`;
  return pageText(
    <Layout {...frame} title={say(heading)}>
      <p class="from">{say('claim.title')}</p>
      <p class="sum">{words.amount(payout.amountCents, payout.currency)}</p>
      {mood && <Mark mood={mood} />}
      <h1>{say(heading)}</h1>
      <p>{say(text)}</p>
      {why && <p class="note">{words.say('rejected.reason', { reason: why })}</p>}
      {button && <Form to={`${place}/identity`} form={form} label={say(button)} isSecond={false} />}
      {again && (
        <a class="button second" href={place}>
          {say(again)}
        </a>
      )}
      <a class="button second" href="/portal">
        {say('withdraw.back')}
      </a>
    </Layout>,
  );
}
