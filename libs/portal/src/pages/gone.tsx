/** The same for every link of a kind that opens nothing, whatever it once was. */
import type { Sentence } from '#libs/payee-words';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark } from './mark';

export const gonePage = (frame: PageFrame): string => waitPage(frame, 'gone.heading', 'gone.text');
/** The link of a mail about money: that mail is not what they should try next. */
export const goneMailPage = (frame: PageFrame): string => waitPage(frame, 'gone.heading', 'gone.mail');

/** Something is wrong on our side, and nothing was lost by it. */
export const troublePage = (frame: PageFrame): string => waitPage(frame, 'later.heading', 'later.text');
/** Somebody asks without end: what counts that here counts by the minute. */
export const oftenPage = (frame: PageFrame): string => waitPage(frame, 'often.heading', 'often.minute');

function waitPage({ words, ...frame }: PageFrame, heading: Sentence, text: Sentence): string {
  return pageText(
    <Layout words={words} {...frame} title={words.say(heading)}>
      <Mark mood="wait" />
      <h1>{words.say(heading)}</h1>
      <p>{words.say(text)}</p>
    </Layout>,
  );
}
