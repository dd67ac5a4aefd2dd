/** The page that shows how much is about to leave and where it goes, before anything does. */
import type { Balance } from '#libs/balances';
import type { Wallet } from '../use-cases/read-wallet';
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';

export interface WithdrawPage extends PageFrame {
  wallet: Wallet;
  from: string;
  form: string;
  /** The word for what they say yes to. */
  of: string;
  /** Since they were asked before. */
  isChanged: boolean;
}

export function withdrawPage({ wallet, from, form, of, isChanged, ...frame }: WithdrawPage): string {
  const { words } = frame;
  const due = wallet.balances.filter((balance) => balance.withdrawableCents > 0 && !wallet.stays.includes(balance));
  const heading = words.say(wallet.stays.length > 0 ? 'wallet.withdraw' : 'withdraw.heading');
  return pageText(
    <Layout {...frame} title={heading}>
      <p class="from">{words.say('wallet.title', { from })}</p>
      <h1>{heading}</h1>
      {isChanged && (
        <p class="bad" role="status">
          {words.say('withdraw.changed')}
        </p>
      )}
      <dl class="sums">
        {due.map(({ currency, withdrawableCents }: Balance) => (
          <div key={currency} class="first">
            <dt>{words.say('withdraw.amount')}</dt>
            <dd>{words.amount(withdrawableCents, currency)}</dd>
          </div>
        ))}
      </dl>
      {wallet.stays.map(({ currency, withdrawableCents }) => (
        <p key={currency} class="note">
          {words.say('withdraw.stays', { amount: words.amount(withdrawableCents, currency) })}
        </p>
      ))}
      <Destination wallet={wallet} words={words} />
      {wallet.partner && <p>{words.say('withdraw.by', { partner: wallet.partner })}</p>}
      <Form to={`/portal/withdraw?of=${of}`} form={form} label={words.say('withdraw.confirm')} isSecond={false} />
      <a class="button second" href="/portal">
        {words.say('withdraw.back')}
      </a>
    </Layout>,
  );
}

function Destination({ wallet, words }: Pick<WithdrawPage, 'wallet' | 'words'>) {
  // There is nothing to choose of a wallet but its address.
  if (wallet.custody === 'swap')
    return (
      <p>
        {words.say('claim.wallet.open')} {words.say('withdraw.choose.wallet')}
      </p>
    );
  if (wallet.choosesLater) return <p>{words.say('withdraw.choose')}</p>;
  return (
    <>
      <p>{words.say('withdraw.to')}</p>
      <p class="account">{destinationOf(wallet, words)}</p>
    </>
  );
}

function destinationOf({ account, custody, payee }: Wallet, words: PageFrame['words']): string {
  if (custody !== null && custody !== 'custodial') return payee.email ?? words.say('withdraw.elsewhere');
  const { brand, last4 } = account ?? {};
  return brand && last4 ? words.say('account.ending', { brand, last4 }) : words.say('withdraw.elsewhere');
}
