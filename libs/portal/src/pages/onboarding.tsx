/** Where a payee gets ready to be paid: what is needed and why, where they stand, and the way on and back. */
import type { Sentence } from '#libs/payee-words';
import type { AccountDetails } from '#libs/rail-kit';
import type { RefusedStep } from '../use-cases/visit-onboarding';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark, type Mood } from './mark';
import { reasonToSay } from './portal-words';

export type OnboardingStep =
  | 'start'
  | 'checking'
  | 'rejected'
  | 'restricted'
  | 'ready'
  | 'nothing'
  | 'details'
  | 'no_rail'
  | 'blocked'
  | 'cooling'
  | 'refused'
  | 'later'
  | 'often';

export interface OnboardingPage extends PageFrame {
  step: OnboardingStep;
  from: string;
  returnUrl: string;
  /** Where the button leads that goes on. */
  onward: string;
  reason: string | null;
  /** They were rejected, and nothing that they hand in changes that. */
  isForGood: boolean;
  /** Of a payment that their account did not take, ready as it is; null: there is none. */
  refused: RefusedStep | null;
  account: AccountDetails | null;
  until: Date | null;
  /** They came from their wallet, and go back there: it makes them a new link whenever they like. */
  isFromWallet: boolean;
  /** They are ready, and came from their wallet to change where their money goes. */
  mayChange: boolean;
  /** The site whose frame is told how it stands; null: the page is in none. */
  tells: { origin: string; message: Record<string, unknown> } | null;
}

interface Look {
  heading: Sentence;
  text: Sentence;
  mood: Mood | null;
  /** Of the button that leads on. */
  button?: Sentence;
}

const LOOKS: Record<OnboardingStep, Look> = {
  start: { heading: 'start.heading', text: 'wallet.not_ready', mood: null, button: 'start.button' },
  checking: { heading: 'checking.heading', text: 'checking.text', mood: 'wait', button: 'checking.button' },
  rejected: { heading: 'rejected.heading', text: 'rejected.text', mood: 'bad', button: 'rejected.button' },
  restricted: { heading: 'restricted.heading', text: 'restricted.text', mood: 'wait', button: 'restricted.button' },
  ready: { heading: 'ready.heading', text: 'ready.elsewhere', mood: 'good' },
  nothing: { heading: 'nothing.heading', text: 'nothing.text', mood: 'good' },
  details: { heading: 'restricted.heading', text: 'notice.details', mood: 'wait' },
  no_rail: { heading: 'no_rail.heading', text: 'no_rail.text', mood: 'bad' },
  blocked: { heading: 'blocked.heading', text: 'blocked.text', mood: 'bad' },
  cooling: { heading: 'cooling.heading', text: 'cooling.text', mood: 'wait' },
  refused: { heading: 'refused.heading', text: 'refused.text', mood: 'bad' },
  later: { heading: 'later.heading', text: 'later.text', mood: 'wait', button: 'later.button' },
  often: { heading: 'often.heading', text: 'often.text', mood: 'wait' },
};

export function onboardingPage(page: OnboardingPage): string {
  const { words, nonce, brand, from, returnUrl, tells } = page;
  const { heading, mood } = lookOf(page);
  const filledIn = { from, until: page.until ? words.moment(page.until) : '' };
  const say = (sentence: Sentence): string => words.say(sentence, filledIn);
  return pageText(
    <Layout words={words} nonce={nonce} brand={brand} title={say('title')}>
      <p class="from">{say('title')}</p>
      {mood && <Mark mood={mood} />}
      <h1>{say(heading)}</h1>
      <Body page={page} say={say} />
      <Onward page={page} say={say} />
      <a class="button second" href={returnUrl} target="_top">
        {say(page.isFromWallet ? 'wallet.open' : 'back')}
      </a>
      {tells && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: telling(tells) }} />}
    </Layout>,
  );
}

type Part = { page: OnboardingPage; say: (sentence: Sentence) => string };

const FOR_GOOD: Look = { heading: 'rejected.heading', text: 'rejected.final', mood: 'bad' };

const notAccepted = (text: Sentence): Look => ({ heading: 'not_accepted.heading', text, mood: 'bad' });

const NOT_ACCEPTED: Record<RefusedStep, Look> = {
  change: notAccepted('not_accepted.text'),
  as_it_is: notAccepted('notice.not_accepted'),
  // Their change may have put it right: the page does not say again that it failed.
  come_back: { heading: 'not_accepted.back.heading', text: 'not_accepted.back', mood: 'wait' },
  tried_again: notAccepted('notice.not_accepted.itself'),
};

function lookOf({ step, isForGood, refused }: OnboardingPage): Look {
  if (isForGood) return FOR_GOOD;
  return step === 'ready' && refused ? NOT_ACCEPTED[refused] : LOOKS[step];
}

function Body({ page, say }: Part) {
  const { step, account, words, isForGood, refused, isFromWallet } = page;
  if (step === 'start' && !isForGood) return <Start page={page} say={say} />;
  const known = step === 'ready' ? knownBy(account) : null;
  const reason = step === 'rejected' ? reasonToSay(page.reason) : null;
  return (
    <>
      {refused && known && <p>{say(lookOf(page).text)}</p>}
      <p>{say(known ? 'ready.text' : textOf(page))}</p>
      {known && <p class="account">{words.say('account.ending', known)}</p>}
      {reason && <p class="note">{words.say('rejected.reason', { reason })}</p>}
      {!isFromWallet && !refused && <Later step={step} say={say} />}
    </>
  );
}

/** A payee without a wallet behind this page hears from the company that pays them. */
const textOf = (page: OnboardingPage): Sentence =>
  page.step === 'checking' && !page.isForGood && !page.isFromWallet ? 'checking.outside' : lookOf(page).text;

function knownBy(account: AccountDetails | null): { brand: string; last4: string } | null {
  const { brand, last4 } = account ?? {};
  return brand && last4 ? { brand, last4 } : null;
}

function Start({ page: { isFromWallet }, say }: Part) {
  return (
    <>
      <p>{say('wallet.not_ready')}</p>
      <ul>
        <li>{say('start.identity')}</li>
        <li>{say('start.account')}</li>
      </ul>
      {!isFromWallet && <p class="note">{say('start.time')}</p>}
    </>
  );
}

/** Where they go on, whose page leads back to whoever pays them. */
function Later({ step, say }: Pick<OnboardingPage, 'step'> & Pick<Part, 'say'>) {
  const sentence = LATER[step];
  return sentence ? <p class="note">{say(sentence)}</p> : null;
}

const LATER: Partial<Record<OnboardingStep, Sentence>> = { cooling: 'cooling.return', ready: 'ready.waiting' };

/** Elsewhere there is nothing that they have to do. */
const STEPS_ON: ReadonlySet<OnboardingStep> = new Set(['start', 'rejected', 'restricted', 'later']);

/** The rail's pages open over everything: they do not let themselves be framed. */
function Onward({ page, say }: Part) {
  const { step, onward, mayChange } = page;
  const button = mayChange ? 'ready.button' : lookOf(page).button;
  if (!button) return null;
  return (
    <form method="post" action={onward} target="_top">
      <button type="submit" class={STEPS_ON.has(step) ? '' : 'second'}>
        {say(button)}
      </button>
    </form>
  );
}

/** Both parts as JSON that cannot end the script. */
function telling({ origin, message }: NonNullable<OnboardingPage['tells']>): string {
  const [said, to] = [message, origin].map((part) => JSON.stringify(part).replaceAll('<', '\\u003c'));
  return `if (window.parent !== window) window.parent.postMessage(${said}, ${to});`;
}
