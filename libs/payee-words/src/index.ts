/** Which language a payee is spoken to in, and its sentences with what belongs into them. */
import { minorUnitDigits } from '#libs/domain';
import { ar } from './ar';
import { de } from './de';
import { en, type Sentence, type Sentences } from './en';
import { es } from './es';
import { fr } from './fr';
import { ja } from './ja';
import { pt } from './pt';

export type { Sentence } from './en';

export const LANGUAGES = { en, es, fr, de, pt, ja, ar } satisfies Record<string, Sentences>;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

export interface Words {
  language: Language;
  direction: 'ltr' | 'rtl';
  say: (sentence: Sentence, filledIn?: Record<string, string>) => string;
  moment: (at: Date) => string;
  day: (at: Date) => string;
  amount: (cents: number, currency: string) => string;
}

/** The first of them that there are sentences in, English if none. A language counts for all its regions. */
export function languageOf(wanted: (string | null | undefined)[]): Language {
  const languages = wanted.map((locale) => locale?.split('-')[0]?.toLowerCase());
  return languages.map((name) => LANGUAGE_NAMES.find((known) => known === name)).find(Boolean) ?? 'en';
}

/** A filled-in value has its own direction: a name in Latin letters must not turn the words around it. */
const ISOLATE = ['\u2068', '\u2069'] as const;
/** Else the letters and the sign of US$ change places. */
const LEFT_TO_RIGHT = '\u2066';

/** Making one takes longer than a whole letter, and a push may write five hundred of them. */
const known = new Map<Language, Words>();

export function wordsIn(language: Language): Words {
  const words = known.get(language) ?? wordsMadeFor(language);
  known.set(language, words);
  return words;
}

function wordsMadeFor(language: Language): Words {
  const sentences: Sentences = LANGUAGES[language];
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const [before, after] = direction === 'rtl' ? ISOLATE : ['', ''];
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const amountsIn = new Map<string, Intl.NumberFormat>();
  return {
    language,
    direction,
    say: (sentence, filledIn = {}) =>
      sentences[sentence].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
        const value = filledIn[name];
        return value === undefined ? placeholder : `${before}${value}${after}`;
      }),
    moment: (at) => `${moments.format(at)} UTC`,
    day: (at) => days.format(at),
    amount: (cents, currency) => {
      const amounts = amountsIn.get(currency) ?? amountsMadeFor(language, currency);
      amountsIn.set(currency, amounts);
      return `${before && LEFT_TO_RIGHT}${amounts.format(cents / 10 ** minorUnitDigits(currency))}${after}`;
    },
  };
}

function amountsMadeFor(language: Language, currency: string): Intl.NumberFormat {
  const digits = minorUnitDigits(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, { style: 'currency', currency, ...fraction });
}
