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

test('a push to hundreds of payees makes what writes their amounts once for each language and currency', () => {
  const made = [jest.spyOn(Intl, 'NumberFormat'), jest.spyOn(Intl, 'DateTimeFormat')];
  for (let payee = 0; payee < 500; payee += 1)
    for (const currency of ['SEK', 'NOK'])
      expect(wordsIn('fr').amount(100 * payee, currency)).toContain(String(payee % 10));
  expect(made.map(({ mock }) => mock.calls.length)).toEqual([2, 0]);
});
