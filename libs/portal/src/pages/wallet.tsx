/** The wallet: what a payee's money comes to, what they can do now, and what became of each payment. */
import type { Balance, Bucket } from '#libs/balances';
import type { Sentence, Words } from '#libs/payee-words';
import type { Payment, PaymentState } from '../use-cases/read-payments';
import { cameBack } from '../came-back';
import type { Wallet } from '../use-cases/read-wallet';
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark, type Mood } from './mark';
import { limitsIn, noticed, type Noticed, saysAgainst } from './portal-words';
import { isTheirTurn, isWaiting, Standing } from './standing';

export interface WalletPage extends PageFrame {
  wallet: Wallet;
  from: string;
  /** Of this browser's forms. */
  form: string;
  /** The result of a withdrawal a moment ago, if there was one. */
  withdrawn: 'all' | 'some' | 'none' | null;
  /** Payments from before the newest ones: the rest of the page is where they came from. */
  isOlder: boolean;
}

/** Money that can be withdrawn comes first; empty buckets are left out. */
const ORDER: readonly Bucket[] = [
  'withdrawableCents',
  'actionNeededCents',
  'onTheWayCents',
  'heldBelowMinimumCents',
  'landedCents',
];

const MOODS: Record<PaymentState, Mood | 'plain'> = {
  on_the_way: 'plain',
  waiting: 'wait',
  held: 'wait',
  tried_again: 'wait',
  paid: 'good',
  not_paid: 'bad',
  returned: 'bad',
};

export function walletPage({ wallet, from, form, withdrawn, isOlder, ...frame }: WalletPage): string {
  const { words } = frame;
  const say = (sentence: Sentence): string => words.say(sentence, { from });
  const { balances, older } = wallet;
  return pageText(
    <Layout {...frame} title={say('wallet.title')}>
      <h1>{say('wallet.title')}</h1>
      <Withdrawn withdrawn={withdrawn} from={from} wallet={wallet} words={words} />
      {!isOlder && balances.length === 0 && <p>{say('wallet.none')}</p>}
      {!isOlder && <Sums wallet={wallet} words={words} isUncovered={withdrawn === 'none' || withdrawn === 'some'} />}
      {!isOlder && <Actions wallet={wallet} form={form} from={from} words={words} say={say} />}
      <Payments wallet={wallet} frame={frame} from={from} isOlder={isOlder} say={say} />
      {(isOlder || older) && (
        <nav class="pages">
          {isOlder && <a href="/portal">{say('wallet.newest')}</a>}
          {older && <a href={`/portal?after=${older}`}>{say('wallet.older')}</a>}
        </nav>
      )}
      {!isOlder && <Account wallet={wallet} form={form} say={say} />}
      <Form to="/portal/leave" form={form} label={say('wallet.leave')} />
    </Layout>,
  );
}

type Part = { wallet: Wallet; say: (sentence: Sentence) => string };

/** Owed money can be withdrawn now, as far as anybody knows. */
const isOpen = ({ payee, hindrance, setUp, outlook }: Wallet): boolean =>
  hindrance === null && setUp === null && payee.payable && !outlook?.against;

/** The outcome of the last withdrawal. Of several currencies the worst is shown. */
const ENDS: [PaymentState, Sentence][] = [
  ['not_paid', 'withdraw.not_paid'],
  ['returned', 'withdraw.returned'],
  ['held', 'withdraw.held'],
  ['tried_again', 'withdraw.tried_again'],
  ['waiting', 'withdraw.waiting'],
  ['on_the_way', 'withdraw.done'],
  ['paid', 'withdraw.paid'],
];

const GOOD: ReadonlySet<PaymentState> = new Set(['paid', 'on_the_way']);

/** Those of the last withdrawal. */
function lastOf(payments: Payment[]): Payment[] {
  const times = payments.map(({ withdrawnAt }) => withdrawnAt?.getTime() ?? 0);
  const last = Math.max(1, ...times);
  return payments.filter((_, place) => times[place] === last);
}

/** Where nothing arrives before they act, nothing is on its way to an account. */
const waitsElsewhere = ({ custody }: Payment, now: Wallet['custody']): boolean => (custody ?? now) !== 'custodial';

function Withdrawn({
  withdrawn,
  from,
  wallet: { payments, custody: now },
  words,
}: Pick<WalletPage, 'withdrawn' | 'from' | 'wallet' | 'words'>) {
  if (withdrawn === 'none')
    return (
      <p class="note" role="status">
        {words.say('withdraw.none', { from })}
      </p>
    );
  const ofLast = lastOf(payments);
  const [state, sentence] = ENDS.find(([end]) => ofLast.some((payment) => payment.state === end)) ?? [];
  if (!withdrawn || !state || !sentence) return null;
  const isGood = GOOD.has(state);
  const isPrepared = state === 'on_the_way' && ofLast.some((payment) => waitsElsewhere(payment, now));
  const amount = ofLast.map(({ amountCents, currency }) => words.amount(amountCents, currency)).join(' + ');
  const isPart = withdrawn === 'some';
  const sent = isPart && isGood ? 'withdraw.some' : sentence;
  return (
    <p class={isGood ? 'done' : 'note'} role="status">
      {words.say(isPrepared ? 'withdraw.prepared' : sent, { amount })}
      {isPart && ` ${words.say('withdraw.rest', { from })}`}
    </p>
  );
}

/** The actions that a payee has now: about their money, or about being paid at all. */
function Actions({ wallet, form, from, words, say }: Part & Pick<WalletPage, 'form' | 'from' | 'words'>) {
  const { balances, hindrance, setUp, outlook } = wallet;
  if (hindrance || setUp) return <Standing wallet={wallet} form={form} words={words} say={say} />;
  if (balances.every(({ withdrawableCents }) => withdrawableCents === 0)) return null;
  if (outlook?.against) {
    const limits = limitsIn(words, outlook.against, { outlook, balances });
    return <p class="note">{words.say(saysAgainst(outlook.against), { from, ...limits })}</p>;
  }
  return (
    <a class="button" href="/portal/withdraw">
      {say('wallet.withdraw')}
    </a>
  );
}

/** Where their money goes comes after what became of it. */
function Account({ wallet: { hindrance, setUp, canChange, account }, form, say }: Part & { form: string }) {
  if (hindrance === null && setUp === 'checking' && !account?.isRejectedForGood)
    return <Form to="/portal/account" form={form} label={say('checking.button')} />;
  return canChange ? <Form to="/portal/account" form={form} label={say('ready.button')} /> : null;
}

function Payments({ wallet, frame, from, isOlder, say }: Part & { frame: PageFrame; from: string; isOlder: boolean }) {
  const { payments, payee } = wallet;
  if (payments.length === 0) return null;
  return (
    <section>
      <h2>{say('wallet.payments')}</h2>
      <ul class="payments">
        {payments.map((payment, place) => (
          <Line
            key={place}
            payment={payment}
            frame={frame}
            from={from}
            isFirst={wallet.balances.every(({ withdrawableCents }) => withdrawableCents === 0)}
            seen={{
              ...{ isPayable: payee.payable, isServed: wallet.hindrance === null },
              // Other actions stand on the first page.
              isTheirTurn: isTheirTurn(wallet) && !isOlder,
              back: cameBack(payment, wallet.balances, isOpen(wallet)),
            }}
          />
        ))}
      </ul>
    </section>
  );
}

/** Before they can be paid it is theirs, and not ready. */
function labelOf(bucket: Bucket, { isReady, isTheirs }: { isReady: boolean; isTheirs: boolean }): Sentence {
  if (bucket === 'withdrawableCents' && !isReady) return 'bucket.set_aside';
  return bucket === 'actionNeededCents' && isTheirs ? 'payment.waiting' : `bucket.${bucket}`;
}

/** All of it waits for them to go on with it: none of it is being sent to an address that they gave. */
function waitsForThem({ currency, actionNeededCents }: Balance, payments: Payment[]): boolean {
  const cents = payments.map((each) => (each.currency === currency && isWaiting(each) ? each.amountCents : 0));
  return cents.reduce((sum, each) => sum + each, 0) === actionNeededCents;
}

/** `isUncovered`: whoever pays them has to provide the money first. */
function Sums({ wallet, words, isUncovered }: Pick<WalletPage, 'wallet' | 'words'> & { isUncovered: boolean }) {
  const { balances, stays, payments } = wallet;
  const sums = ORDER.flatMap((bucket) =>
    balances
      .filter((balance) => balance[bucket] > 0)
      .map((balance) => ({
        ...{ bucket, amount: words.amount(balance[bucket], balance.currency) },
        label: labelOf(bucket, {
          isReady: isOpen(wallet) && !isUncovered && !stays.includes(balance),
          isTheirs: waitsForThem(balance, payments),
        }),
      })),
  );
  if (sums.length === 0) return null;
  return (
    <dl class="sums">
      {sums.map(({ bucket, amount, label }) => (
        <div key={bucket + amount} class={bucket === 'withdrawableCents' ? 'first' : ''}>
          <dt>{words.say(label)}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LineProps {
  payment: Payment;
  frame: PageFrame;
  from: string;
  /** Of its payee, and of what came to nothing. */
  seen: Pick<Noticed, 'isPayable' | 'isServed' | 'isTheirTurn' | 'back'>;
  /** To go on with what waits is the first that they can do here. */
  isFirst: boolean;
}

function Line({ payment, frame: { words }, from, seen, isFirst }: LineProps) {
  const waitingClass = isFirst ? 'button' : 'button second';
  const { amountCents, currency, ref, state, notice, onward, isAskedAgain, at, arrival } = payment;
  return (
    <li>
      <span class="amount">{words.amount(amountCents, currency)}</span>
      <span class={`state ${MOODS[state]}`}>{words.say(`payment.${state}`)}</span>
      <span class="when">
        <time datetime={at.toISOString()}>{words.day(at)}</time>
        {ref && (
          <>
            {' · '}
            <bdi>{ref}</bdi>
          </>
        )}
      </span>
      {arrival && (
        <span class="why">
          {words.say(arrival.isLate ? 'arrival.late' : 'arrival.by', { day: words.day(arrival.by), from })}
        </span>
      )}
      {notice && <span class="why">{words.say(noticed(notice, { ...payment, ...seen }), { from })}</span>}
      {isAskedAgain && <span class="why bad">{words.say('drain.again', { from })}</span>}
      {onward && (
        <a class={isWaiting(payment) ? waitingClass : 'onward'} href={onward.to}>
          {words.say(`wallet.${onward.kind}`)}
        </a>
      )}
    </li>
  );
}

/** A page with one thing to say, and perhaps one thing to do. */
export interface WordPage extends PageFrame {
  from: string;
  mood: Mood | null;
  heading: Sentence;
  /** null: the button says it all. */
  text: Sentence | null;
  button?: { label: Sentence; to: string; form: string | null; isSecond?: true };
  /** A link to the wallet. */
  leadsBack?: boolean;
  /** Into its sentences, beside who pays. */
  filledIn?: (words: Words) => Record<string, string>;
}

export function wordPage({ from, mood, heading, text, button, leadsBack, filledIn, ...frame }: WordPage): string {
  const { words } = frame;
  const say = (sentence: Sentence): string => words.say(sentence, { from, ...filledIn?.(words) });
  return pageText(
    <Layout {...frame} title={say(heading)}>
      {mood && <Mark mood={mood} />}
      <h1>{say(heading)}</h1>
      {text && <p>{say(text)}</p>}
      {button && (
        <Form to={button.to} form={button.form} label={say(button.label)} isSecond={button.isSecond ?? false} />
      )}
      {leadsBack && (
        <a class="button second" href="/portal">
          {say('wallet.open')}
        </a>
      )}
    </Layout>,
  );
}
