/**
 * Where a waiting payment goes: the address is entered, then shown in full, and only then does anything leave. Or the payee takes it on a
 * page of the provider's.
 */
import { type Payout, refusalToPayee } from '#libs/payout-rules';
import type { Arrival } from '#libs/rail-registry';
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';

export interface DestinationPage extends PageFrame {
  payout: Payout;
  from: string;
  /** Of this browser's forms: only what is entered here is shown to be confirmed. */
  form: string;
  /** Why the address that was entered before was refused; null: it was not. */
  refusal: string | null;
  entered: string;
  /** The address they gave before was refused on the way. */
  isAgain: boolean;
  /** null while its rail cannot say. */
  arrival: Arrival | null;
}

export function destinationPage({
  payout,
  from,
  form,
  refusal,
  entered,
  isAgain,
  arrival,
  ...frame
}: DestinationPage): string {
  const { words } = frame;
  const before = refusalToPayee(payout);
  return pageText(
    <Layout {...frame} title={words.say('drain.heading')}>
      <Sum payout={payout} from={from} words={words} />
      <h1>{words.say('drain.heading')}</h1>
      {isAgain && refusal === null && (
        <p class="bad" role="status">
          {words.say('drain.again', { from })} {before && words.say('rejected.reason', { reason: before })}
        </p>
      )}
      <p>
        {arrival ? words.say('drain.arrives', { ...arrival }) : words.say('drain.copy')} {words.say('drain.text')}
      </p>
      <form method="get" action={`/portal/payments/${payout.id}/check`}>
        <label for="to">{words.say('drain.label')}</label>
        <input
          {...{ id: 'to', name: 'to', value: entered, dir: 'ltr', required: true, maxLength: 200 }}
          {...{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
          {...(refusal === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'refusal' })}
        />
        {refusal !== null && (
          <p id="refusal" class="bad" role="alert">
            {words.say('drain.refused', { reason: refusal })}
          </p>
        )}
        <input type="hidden" name="form" value={form} />
        <button type="submit">{words.say('drain.check')}</button>
      </form>
      <p class="note">{words.say('drain.later')}</p>
      <a class="button second" href="/portal">
        {words.say('withdraw.back')}
      </a>
    </Layout>,
  );
}

export type TakePage = PageFrame & Pick<ConfirmPage, 'payout' | 'from' | 'form'>;

/** The page before a provider's own: a button and no link, so that only its payee can open it. */
export function takePage({ payout, from, form, ...frame }: TakePage): string {
  const { words } = frame;
  const isTaken = payout.status === 'paid';
  return pageText(
    <Layout {...frame} title={words.say('take.heading')}>
      <Sum payout={payout} from={from} words={words} />
      <h1>{words.say('take.heading')}</h1>
      <p>{words.say('take.text')}</p>
      <Form
        to={`/portal/payments/${payout.id}/take`}
        form={form}
        label={words.say(isTaken ? 'wallet.claim_again' : 'wallet.claim')}
        isSecond={false}
      />
      <a class="button second" href="/portal">
        {words.say('withdraw.back')}
      </a>
    </Layout>,
  );
}

export interface ConfirmPage extends PageFrame {
  payout: Payout;
  from: string;
  form: string;
  destination: string;
  /** The address they entered differs from it in capital letters only. */
  isRecased: boolean;
}

export function confirmDestinationPage({ payout, from, form, destination, isRecased, ...frame }: ConfirmPage): string {
  const { words } = frame;
  const place = `/portal/payments/${payout.id}`;
  return pageText(
    <Layout {...frame} title={words.say('drain.confirm.heading')}>
      <Sum payout={payout} from={from} words={words} />
      <h1>{words.say('drain.confirm.heading')}</h1>
      <p class="account" dir="ltr">
        {inFours(destination)}
      </p>
      {isRecased && <p>{words.say('drain.confirm.case')}</p>}
      <p>
        <strong>{words.say('drain.confirm.text')}</strong>
      </p>
      <Form
        to={`${place}/send?of=${payout.legs.length}&to=${encodeURIComponent(destination)}`}
        form={form}
        label={words.say('drain.confirm')}
        isSecond={false}
      />
      <a class="button second" href={place}>
        {words.say('drain.change')}
      </a>
    </Layout>,
  );
}

/** Four by four a long address can be compared; what is copied from the page has no gaps. */
function inFours(address: string) {
  return (address.match(/.{1,4}/gsu) ?? []).map((four) => <span>{four}</span>);
}

function Sum({ payout, from, words }: Pick<DestinationPage, 'payout' | 'from' | 'words'>) {
  return (
    <>
      <p class="from">{words.say('claim.title', { from })}</p>
      <p class="sum">{words.amount(payout.amountCents, payout.currency)}</p>
    </>
  );
}
