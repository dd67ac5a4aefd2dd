/** What stands in place of a provider's own pages in test mode: whoever tests says how it ends. */
import { Form } from './form';
import { Layout, type PageFrame, pageText } from './layout';

export const TEST_OUTCOMES = ['verified', 'pending', 'rejected'] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];
/** Of a check before money goes on: its provider may also not be there. */
export const CHECK_OUTCOMES = [...TEST_OUTCOMES, 'down'] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

export interface TestProviderPage extends PageFrame {
  onward: string;
  /** null where the address itself is the secret. */
  form: string | null;
  outcomes: readonly CheckOutcome[];
}

export function testProviderPage({ words, onward, form, outcomes, ...frame }: TestProviderPage): string {
  return pageText(
    <Layout words={words} {...frame} title={words.say('test.heading')}>
      <h1>{words.say('test.heading')}</h1>
      <p>{words.say('test.text')}</p>
      {outcomes.map((outcome) => (
        <Form
          key={outcome}
          to={`${onward}/${outcome}`}
          form={form}
          label={words.say(`test.${outcome}`)}
          isSecond={outcome !== 'verified'}
        />
      ))}
    </Layout>,
  );
}
