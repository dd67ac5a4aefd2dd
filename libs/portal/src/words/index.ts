/** Which language a payee is spoken to in, and its sentences with what belongs into them. */
import { ar } from './ar';
import { de } from './de';
import { en, type Sentence, type Sentences } from './en';
import { es } from './es';
import { fr } from './fr';
import { ja } from './ja';
import { pt } from './pt';

export const LANGUAGES = { en, es, fr, de, pt, ja, ar } satisfies Record<string, Sentences>;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

export interface Words {
  language: Language;
  direction: 'ltr' | 'rtl';
  say: (sentence: Sentence, filledIn?: Record<string, string>) => string;
  moment: (at: Date) => string;
}

export function wordsIn(language: Language): Words {
  const sentences: Sentences = LANGUAGES[language];
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return {
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    say: (sentence, filledIn = {}) =>
      sentences[sentence].replace(/\{(\w+)\}/g, (placeholder, name: string) => filledIn[name] ?? placeholder),
    moment: (at) => `${moments.format(at)} UTC`,
  };
}
