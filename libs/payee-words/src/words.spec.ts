import { LANGUAGE_NAMES, LANGUAGES, wordsIn } from './index';
import { en, type Sentence } from './en';

const SENTENCES = Object.keys(en) as Sentence[];
const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe.each(LANGUAGE_NAMES)('what payees read in %s', (language) => {
  const words = wordsIn(language);

  test.each(SENTENCES)('%s says something, with the same things filled in as in English', (sentence) => {
    const text = LANGUAGES[language][sentence];
    expect(text.trim()).toBe(text);
    expect(text.length).toBeGreaterThan(1);
    expect(placeholders(text)).toEqual(placeholders(en[sentence]));
    if (language !== 'en') expect(text).not.toBe(en[sentence]);
  });

  test('what is filled in is kept as it is, be it a placeholder of another name', () => {
    expect(words.say('back', { from: '$& {until} $1' })).toContain('$& {until} $1');
  });

  test('a moment says its year and its time zone', () => {
    expect(words.moment(new Date('2031-03-04T05:06:07Z'))).toMatch(/(2031|٢٠٣١).*UTC$/);
  });
});

test('Arabic is read from the right, all others from the left', () => {
  const directions = LANGUAGE_NAMES.map((language) => [language, wordsIn(language).direction]);
  expect(directions.filter(([, direction]) => direction === 'rtl')).toEqual([['ar', 'rtl']]);
});
