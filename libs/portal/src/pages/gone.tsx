/** The same for every link that opens nothing, whatever it once was. */
import type { Sentence } from '#libs/payee-words';
import { Layout, type PageFrame, pageText } from './layout';
import { Mark } from './mark';

export function gonePage({ words, ...frame }: PageFrame): string {
  return pageText(
    <Layout words={words} {...frame} title={words.say('gone.heading')}>
      <Mark mood="wait" />
      <h1>{words.say('gone.heading')}</h1>
      <p>{words.say('gone.text')}</p>
    </Layout>,
  );
}

/** Something is wrong on our side, and nothing was lost by it. */
export const troublePage = (frame: PageFrame): string => laterPage(frame, 'later.text');
/** Somebody asks without end. */
export const oftenPage = (frame: PageFrame): string => laterPage(frame, 'often.text');

function laterPage({ words, ...frame }: PageFrame, text: Sentence): string {
  return pageText(
    <Layout words={words} {...frame} title={words.say('later.heading')}>
      <Mark mood="wait" />
      <h1>{words.say('later.heading')}</h1>
      <p>{words.say(text)}</p>
    </Layout>,
  );
}
