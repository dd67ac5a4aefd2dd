/**
 * A provider's own words, made fit for logs and reasons. Its codes help whoever looks for a payout; anything else in their place (a page,
 * an address, somebody's mistake) could be something that neither may hold.
 */
const CODE = /^[A-Za-z0-9_.-]{1,64}$/;
const SENTENCE = /^[A-Za-z0-9 _.,;'()-]{1,120}$/;

export const codeTold = (word: string): string => asFar(word, CODE, 'code');

/** Words for people: no address, link or markup can be made of what is let through. */
export const sentenceTold = (text: string): string => asFar(text, SENTENCE, 'sentence');

const asFar = (text: string, shape: RegExp, kind: string): string =>
  shape.test(text) ? text : `${text.length} characters that are no ${kind}`;
