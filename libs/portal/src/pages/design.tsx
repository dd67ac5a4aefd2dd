/** Every part that the pages of payees are made of, on one page, for whoever changes one of them. English, as it is for us alone. */
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark } from './mark';

const COLOURS = ['ground', 'sheet', 'ink', 'quiet', 'line', 'accent', 'on-accent', 'good', 'wait', 'bad'];

export function designPage(frame: PageFrame): string {
  const { words } = frame;
  return pageText(
    <Layout {...frame} title="Design">
      <p class="from">Small and quiet: whose page it is</p>
      <h1>A heading says how it stands</h1>
      <p>
        A paragraph says what to do about it. One step of space is half a line; everything else is a multiple of it.
      </p>
      <p class="note">A note is what one can leave unread.</p>
      <p class="account">What an account is recognised by</p>
      <p class="done">What was just done</p>
      <p class="sum">{words.amount(123_456, 'USD')}</p>
      <Mark mood="good" />
      <Mark mood="wait" />
      <Mark mood="bad" />
      <a class="button" href="/dev/design">
        The one thing to do
      </a>
      <Form to="/dev/design" form={null} label="Something else to do" />
      <dl class="sums">
        <div class="first">
          <dt>The sum that matters</dt>
          <dd>{words.amount(123_456, 'EUR')}</dd>
        </div>
        <div>
          <dt>Another sum</dt>
          <dd>{words.amount(70_000, 'JPY')}</dd>
        </div>
      </dl>
      <section>
        <h2>A list of payments</h2>
        <ul class="payments">
          <li>
            <span class="amount">{words.amount(1_000, 'USD')}</span>
            <span class="state wait">Its state</span>
            <span class="why">Why, or when</span>
            <a class="button" href="/dev/design">
              What to do about it
            </a>
          </li>
          <li>
            <span class="amount">{words.amount(2_000, 'USD')}</span>
            <span class="state good">Its state</span>
            <a class="onward" href="/dev/design">
              What one can leave
            </a>
          </li>
        </ul>
      </section>
      <label>
        A field <input name="field" value="What is entered" />
      </label>
      <Colours />
    </Layout>,
  );
}

function Colours() {
  return (
    <section>
      <h2>Colours, in light and in the dark</h2>
      <ul>
        {COLOURS.map((colour) => (
          <li key={colour}>
            <svg width="48" height="16" aria-hidden="true">
              <rect width="48" height="16" rx="4" fill={`var(--${colour})`} stroke="var(--line)" />
            </svg>{' '}
            {colour}
          </li>
        ))}
      </ul>
    </section>
  );
}
