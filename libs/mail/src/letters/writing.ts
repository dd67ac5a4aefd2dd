/** The letters that people and businesses write their names in. Some others look like a dot or a slash, or like nothing at all. */
const ALONE = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Thaana', 'Ethiopic'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Mongolian'],
].map((script) => `\\p{Script=${script}}`);
const SYLLABLES = '\\uac00-\\ud7a3'; // its single strokes look like dots
const TOGETHER = ['\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc', `\\p{Script=Han}${SYLLABLES}`];

/** Latin letters that look like a dot and like strokes, and whatever is not seen. */
const NOT_THESE = '(?![\\ua78f\\u01c0-\\u01c3\\p{Default_Ignorable_Code_Point}])';
const letterOf = (scripts: string): string =>
  `(?:${NOT_THESE}(?=[\\p{L}\\p{M}])[${scripts}]|(?=\\p{M})\\p{Script=Inherited})`;

const PARTS = [...ALONE, ...TOGETHER].map((scripts) => new RegExp(`^(?:${letterOf(scripts)}|['’ʻʼ.])+$`, 'u'));

/** Whether a part of a name is of one writing: letters, their marks, apostrophes and full stops. */
export const isOfOneWriting = (part: string): boolean => PARTS.some((writing) => writing.test(part));

/** Any of them, because a character class is not enough to leave some out. */
export const LETTER = letterOf([...ALONE, ...TOGETHER].join(''));
