import { wordsIn } from '#libs/payee-words';
import { gonePage, oftenPage } from './gone';

const FRAME = { words: wordsIn('en'), nonce: 'n', brand: {} };

test('whose details changed is sent to no mail from before that', () => {
  expect(gonePage(FRAME)).toContain('older mails no longer work: wait a day, then ask.');
});

test('who looked at too many pages waits for the next minute, and no longer', () => {
  expect(oftenPage(FRAME)).toContain('Please wait a minute.');
});
