/** Letters and marks that look like the dot and the slash of a link, or like nothing, are no part of a name. */
import { moneyWaiting } from './money-waiting';

const LOOK_ALIKES = [
  'evil\u{1d16d}com', // musical symbol combining augmentation dot, a mark: confusable with a full stop
  'Visit evil\u{1d16d}com\u2cc7pay', // coptic small letter old coptic esh: confusable with a slash
  'paypal\ua78fcom', // latin letter sinological dot
  'paypal\u1427com', // canadian syllabics final middle dot
  'paypal\u318dcom', // hangul letter araea
  'paypal\u4e36com', // a stroke of Han
  'paypal\u30cepay', // katakana no, between letters of another writing
  'paypal\u01c0pay', // latin letter dental click
  '\u3164', // hangul filler: a name that is not there
];

test.each(LOOK_ALIKES)('a letter does not greet by %p', (payeeName) => {
  const { text } = moneyWaiting({ clientName: 'Example', payeeName, amounts: [{ currency: 'USD', cents: 100 }] });
  expect(text).toMatch(/^Hello,\n/);
});

test.each(['\u{1d16d}', '\u2cc7', '\ua78f', '\u1427', '\ua4f8', '\u3164'])(
  'a business is not called by %p',
  (letter) => {
    const clientName = `evil${letter}com`;
    const { text } = moneyWaiting({ clientName, payeeName: null, amounts: [{ currency: 'USD', cents: 100 }] });
    expect(text).toContain('evil com');
  },
);

test.each(['Jérôme Dupont', 'Ὀδυσσεύς', 'Kaʻiulani', 'Nguyễn Văn An', 'שרה', 'አበበ'])(
  'a letter greets %s',
  (payeeName) => {
    const { text } = moneyWaiting({ clientName: 'Example', payeeName, amounts: [{ currency: 'USD', cents: 100 }] });
    expect(text.normalize('NFKC')).toContain(`Hello ${payeeName.normalize('NFKC')},`);
  },
);
