/** Where a payee gets ready to be paid: what is needed and why, where they stand, and the way on and back. */
import type { Sentence } from '#libs/payee-words';
import type { AccountDetails } from '#libs/rail-kit';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark, type Mood } from './mark';

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
  start: { heading: 'start.heading', text: 'start.text', mood: null, button: 'start.button' },
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
  often: { heading: 'later.heading', text: 'often.text', mood: 'wait' },
};

export function onboardingPage(page: OnboardingPage): string {
  const { step, words, nonce, brand, from, returnUrl, tells } = page;
  const { heading, mood } = LOOKS[step];
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

function Body({ page: { step, reason, account, words, isFromWallet }, say }: Part) {
  if (step === 'start')
    return (
      <>
        <p>{say('start.text')}</p>
        <ul>
          <li>{say('start.identity')}</li>
          <li>{say('start.account')}</li>
        </ul>
        {!isFromWallet && <p class="note">{say('start.time')}</p>}
      </>
    );
  const known =
    step === 'ready' && account?.brand && account.last4 ? { brand: account.brand, last4: account.last4 } : null;
  return (
    <>
      <p>{say(known ? 'ready.text' : LOOKS[step].text)}</p>
      {known && <p class="account">{words.say('account.ending', known)}</p>}
      {step === 'rejected' && reason && <p class="note">{words.say('rejected.reason', { reason })}</p>}
    </>
  );
}

/** Elsewhere there is nothing that they have to do. */
const STEPS_ON: ReadonlySet<OnboardingStep> = new Set(['start', 'rejected', 'restricted', 'later']);

/** The rail's pages open over everything: they do not let themselves be framed. */
function Onward({ page: { step, onward, mayChange }, say }: Part) {
  const button = mayChange ? 'ready.button' : LOOKS[step].button;
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
