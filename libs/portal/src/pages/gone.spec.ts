import { wordsIn } from '#libs/payee-words';
import { goneMailPage, gonePage, oftenPage } from './gone';

const FRAME = { words: wordsIn('en'), nonce: 'n', brand: {} };

test('whose details changed is sent to no mail from before that', () => {
  for (const page of [gonePage, goneMailPage])
    expect(page(FRAME)).toContain('older mails may no longer work: ask for a new link.');
});

test('who comes by a mail about money that is too old is not sent back to it', () => {
  expect(gonePage(FRAME)).toContain('try its button first');
  expect(goneMailPage(FRAME)).not.toContain('try its button first');
  expect(goneMailPage(FRAME)).toContain('Ask whoever pays you for a new link.');
});

test('who looked at too many pages waits for the next minute, and no longer', () => {
  expect(oftenPage(FRAME)).toContain('Please wait a minute.');
});
