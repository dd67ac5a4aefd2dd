/** One payment, for whoever has its link: who pays, how much, how it stands, and what to do now. */
import type { Sentence } from '#libs/payee-words';
import { isAskedAgain, refusalToPayee } from '#libs/payout-rules';
import type { CameBack } from '../came-back';
import type { ClaimStage, ClaimVisit } from '../use-cases/visit-claim';
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark, type Mood } from './mark';
import { noticed, untilOf } from './portal-words';

export interface ClaimPage extends PageFrame {
  visit: ClaimVisit;
  from: string;
  /** Of what came to nothing; null: nothing of it is owed again. */
  back: CameBack | null;
  /** Where the button leads, if there is one. */
  action: { label: Sentence; to: string; isLink: boolean } | null;
  /** The next step is in their wallet, and there is no address to mail a link into it to. */
  isOutOfReach: boolean;
}

interface Look {
  heading: Sentence;
  /** null: its notice says it. */
  text: Sentence | null;
  mood: Mood;
}

const LOOKS: Record<ClaimStage, Look> = {
  soon: { heading: 'claim.soon.heading', text: 'claim.soon.text', mood: 'wait' },
  provider: { heading: 'claim.open.heading', text: 'claim.open.text', mood: 'wait' },
  wallet: { heading: 'claim.open.heading', text: 'claim.wallet.text', mood: 'wait' },
  claimed: { heading: 'claim.claimed.heading', text: 'claim.claimed.text', mood: 'good' },
  paid: { heading: 'claim.paid.heading', text: 'claim.paid.text', mood: 'good' },
  held: { heading: 'claim.held.heading', text: null, mood: 'wait' },
  over: { heading: 'claim.over.heading', text: null, mood: 'bad' },
};

/** They were led to where they take it, and nobody hears whether they did. */
const LED: Look = { heading: 'claim.led.heading', text: 'claim.led.text', mood: 'good' };

export function claimPage(page: ClaimPage): string {
  const { visit, from, back, action, words, nonce, brand } = page;
  const { payout, stage, isLed } = visit;
  const { heading, text, mood } = lookOf(page);
  const email = maskedAddress(addressOf(visit));
  const partner = visit.partner ?? words.say('claim.partner');
  const say = (sentence: Sentence): string => words.say(sentence, { from, email, partner });
  const said = noticeIn(visit, back) ?? text;
  const before = beforeAction(page);
  return pageText(
    <Layout words={words} nonce={nonce} brand={brand} title={say('claim.title')}>
      <p class="from">{say('claim.title')}</p>
      <p class="sum">{words.amount(payout.amountCents, payout.currency)}</p>
      <div role="status" data-stage={stage}>
        <Mark mood={mood} />
        <h1>{say(heading)}</h1>
        {said && <p>{say(said)}</p>}
        <ByWhen visit={visit} from={from} words={words} />
        {stage === 'wallet' && !isLed && <OfWallet payout={payout} words={words} say={say} />}
      </div>
      {before && <p>{say(before)}</p>}
      {action && <Action {...action} label={say(action.label)} />}
      {UNDER_WAY.has(stage) && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: LIVE }} />}
    </Layout>,
  );
}

function Action({ label, to, isLink }: { label: string; to: string; isLink: boolean }) {
  if (!isLink) return <Form to={to} form={null} label={label} isSecond={false} />;
  return (
    <a class="button" href={to}>
      {label}
    </a>
  );
}

/** The payee acts from their wallet: the page's text says how to open it. */
const isTheirs = ({ stage, isLed }: ClaimVisit): boolean => stage === 'wallet' || isLed;

/** The rail mails the address that it pays; we mail the payee's address of now. */
const addressOf = ({ payout, payee, stage }: ClaimVisit): string =>
  (stage === 'provider' ? (payout.destination ?? payee) : payee).email ?? '';

function beforeAction({ visit, action, isOutOfReach }: ClaimPage): Sentence | null {
  if (isTheirs(visit)) return null;
  if (isOutOfReach) return 'unsent.no_address';
  return action?.label === 'claim.wallet.button' ? 'claim.link.text' : null;
}

function noticeIn(visit: ClaimVisit, back: CameBack | null): Sentence | null {
  const { notice, payee } = visit;
  return notice && noticed(notice, { ...visit, isPayable: payee.payable, back });
}

/** What to know before an address is given. */
function OfWallet({
  payout,
  words,
  say,
}: Pick<ClaimVisit, 'payout'> & Pick<PageFrame, 'words'> & { say: (sentence: Sentence) => string }) {
  if (!isAskedAgain(payout)) return <p class="note">{say('drain.later')}</p>;
  const reason = refusalToPayee(payout);
  return (
    <>
      <p class="bad">{say('drain.again')}</p>
      {reason && <p class="note">{words.say('rejected.reason', { reason })}</p>}
    </>
  );
}

function ByWhen({ visit, from, words }: Pick<ClaimPage, 'visit' | 'from' | 'words'>) {
  const { until } = visit;
  return until && <p>{words.say(untilOf(visit), { from, until: words.day(until) })}</p>;
}

function lookOf(page: ClaimPage): Look {
  const { stage, isLed } = page.visit;
  const way = isTheirs(page.visit) ? { text: wayOf(page) } : {};
  return isLed && stage === 'paid' ? { ...LED, ...way } : { ...LOOKS[stage], ...endOf(page.visit), ...way };
}

/** A payee whose wallet is open here needs no link. */
function wayOf({ visit: { stage, isLed }, action, isOutOfReach }: ClaimPage): Sentence {
  if (isOutOfReach) return 'unsent.no_address';
  if (isLed && stage === 'paid') return action?.isLink ? 'claim.led.open' : 'claim.led.text';
  if (isLed) return action?.isLink ? 'claim.take.open' : 'claim.take.text';
  return action?.isLink ? 'claim.wallet.open' : 'claim.wallet.text';
}

/** What happened, where that can be said in few words. */
function endOf({ stage, payout, notice }: ClaimVisit): { heading?: Sentence } {
  if (notice === 'tried_again') return { heading: 'claim.tried_again.heading' };
  if (stage !== 'over') return {};
  if (payout.status === 'returned') return { heading: 'claim.returned.heading' };
  return notice === 'unclaimed' ? { heading: 'claim.expired.heading' } : {};
}

const UNDER_WAY: ReadonlySet<ClaimStage> = new Set(['soon', 'provider', 'wallet', 'claimed']);

/** No line breaks here. */
const JOIN = '\u2060';

/** Enough to know one's own address by: who got hold of the link does not learn it. */
function maskedAddress(address: string): string {
  const [name = '', domain = ''] = address.split('@');
  return domain === '' ? '' : `${name.slice(0, 1)}${JOIN}…${JOIN}@${domain}`;
}

/** Asks now and then whether it stands otherwise, while somebody looks. Without scripts it is read again by hand. */
const LIVE = `
const stage = () => document.querySelector('[data-stage]').dataset.stage;
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => null);
  if (!answer || !answer.ok) return;
  const [, now] = (await answer.text()).match(/data-stage="(.*?)"/) ?? [];
  if (now && now !== stage()) location.reload();
}, 5000);`;
