/**
 * Words, as people write them into what was to be rolled: known ones, and pieces of any that are made of the pairs of letters that most
 * words are made of.
 */

/** Also the rows of keyboards, along and down. */
const KNOWN =
  /change|password|passwort|secret|operator|token|admin|master|example|default|produ[ck]tion|payout|payment|gateway|please|replace|insert|random|string|character|correct|horse|battery|staple|monkey|dragon|quick|brown|summer|winter|spring|autumn|key|qwert(?:yuiop)?|asdfg(?:hjkl)?|zxcvb(?:nm)?|qaz|wsx|edc|rfv|tgb|yhn|ujm/gi;

/** Of the pairs in the words of our own pages three in four are one of these; of rolled letters, one in six. */
const USUAL_PAIRS = new Set(
  [
    'ac ad ai al an ap ar as at ay be bl bo ca ce ch ck cl co cr ct de di ds ea ec ed ee el em en ep er es et ev',
    'fi fo ge ha he hi ho ic id ie ig il im in io ir is it ke la le li ll lo ls ma me mi mo mp na nc nd ne ng no',
    'ns nt ol om on oo op or os ot ou ov ow pa pe pl po pr pt ra rd re ri ro rs rt se sh si so ss st su ta te th',
    'ti to tr ts tt un ur us ut ve wa we',
  ].flatMap((pairs) => pairs.split(' ')),
);
const LEAST_PIECE = 3;

/** In small letters, which a capital may begin, or in capitals. */
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

export const withoutWords = (text: string): string => text.replace(KNOWN, '');

/**
 * More than half of it are pieces of words. Of millions of rolled tokens of 32 characters of base64, or of hex digits, none was; of
 * those in small letters and digits alone, one in a hundred thousand.
 */
export function readsAsWords(text: string): boolean {
  const rest = withoutWords(text);
  const pieces = (rest.match(WORD) ?? []).reduce((sum, word) => sum + lettersInPieces(word.toLowerCase()), 0);
  return (text.length - rest.length + pieces) * 2 > text.length;
}

function lettersInPieces(word: string): number {
  let letters = 0;
  for (let from = 0, to = 1; from < word.length; to += 1) {
    if (USUAL_PAIRS.has(word.slice(to - 1, to + 1))) continue;
    if (to - from >= LEAST_PIECE) letters += to - from;
    from = to;
  }
  return letters;
}
