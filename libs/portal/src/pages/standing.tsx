/** The part of a wallet about the payee: what stands against paying them, or what they have to do first. */
import type { Sentence, Words } from '#libs/payee-words';
import type { Payment } from '../use-cases/read-payments';
import type { Wallet } from '../use-cases/read-wallet';
import type { Hindrance, SetUpStep } from '../use-cases/set-up-step';
import { Form } from './form';
import { reasonToSay } from './portal-words';

interface Look {
  heading: Sentence | null;
  text: Sentence;
  button: Sentence | null;
}

const FOR_GOOD: Look = { heading: 'rejected.heading', text: 'rejected.final', button: null };

const SET_UP: Record<SetUpStep, Look> = {
  start: { heading: null, text: 'wallet.not_ready', button: 'wallet.set_up' },
  checking: { heading: 'checking.heading', text: 'checking.text', button: null },
  rejected: { heading: 'rejected.heading', text: 'rejected.text', button: 'rejected.button' },
  restricted: { heading: 'restricted.heading', text: 'restricted.text', button: 'restricted.button' },
};

const HINDERED: Record<Hindrance, Look> = {
  blocked: { heading: 'blocked.heading', text: 'blocked.text', button: null },
  no_rail: { heading: null, text: 'no_rail.text', button: null },
};

interface Part {
  wallet: Wallet;
  form: string;
  words: Words;
  say: (sentence: Sentence) => string;
}

/** Tells a payee what they can do about themselves only where it would help. */
export function Standing({ wallet, form, words, say }: Part) {
  const { hindrance, setUp, payee, account } = wallet;
  const look = hindrance ? HINDERED[hindrance] : setUp && (account?.isRejectedForGood ? FOR_GOOD : SET_UP[setUp]);
  if (!look) return null;
  const { heading, text, button } = look;
  const reason = !hindrance && setUp === 'rejected' ? reasonToSay(payee.kycReason) : null;
  return (
    <section>
      {heading && <h2>{say(heading)}</h2>}
      {reason && <p>{words.say('rejected.reason', { reason })}</p>}
      <p class="note">{say(text)}</p>
      {isLeftToThem(wallet) && <p>{say('blocked.waiting')}</p>}
      {button && <Form to="/portal/account" form={form} label={say(button)} isSecond={false} />}
    </section>
  );
}

/** Money that already waits for them is stopped only if they are blocked themselves. */
const isLeftToThem = ({ hindrance, payee, payments }: Wallet): boolean =>
  hindrance === 'blocked' && !payee.blocked && payments.some(isWaiting);

/** It waits for its payee, who has to go on with it. */
export const isWaiting = ({ onward }: Payment): boolean => onward !== null && onward.kind !== 'claim_again';

/** There is something that they can do about being paid. */
export const isTheirTurn = ({ hindrance, setUp, account }: Wallet): boolean =>
  hindrance === null && setUp !== null && setUp !== 'checking' && !account?.isRejectedForGood;
