/** What stands in place of a provider's own pages in test mode: whoever tests says how it ends. */
import { Layout, type PageFrame, pageText } from './layout';

export const TEST_OUTCOMES = ['verified', 'pending', 'rejected'] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];

export function testProviderPage({ words, onward, ...frame }: PageFrame & { onward: string }): string {
  return pageText(
    <Layout words={words} {...frame} title={words.say('test.heading')}>
      <h1>{words.say('test.heading')}</h1>
      <p>{words.say('test.text')}</p>
      {TEST_OUTCOMES.map((outcome) => (
        <form method="post" action={`${onward}/${outcome}`} key={outcome}>
          <button type="submit" class={outcome === 'verified' ? '' : 'second'}>
            {words.say(`test.${outcome}`)}
          </button>
        </form>
      ))}
    </Layout>,
  );
}
