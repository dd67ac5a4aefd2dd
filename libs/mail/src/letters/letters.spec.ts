import { moneyWaiting } from './money-waiting';
import { amount } from './words';

describe('letters', () => {
  test.each([
    [123456, 'USD', 'USD 1,234.56'],
    [5, 'EUR', 'EUR 0.05'],
    [1500, 'JPY', 'JPY 1,500'],
    [1234, 'KWD', 'KWD 1.234'],
    [100_000_000_000, 'USD', 'USD 1,000,000,000.00'],
  ])('%d of %s is %s', (cents, currency, text) => {
    expect(amount(cents, currency)).toBe(text);
  });

  test('name each sum once, in plain text and in HTML', () => {
    const amounts = [
      { currency: 'USD', cents: 250 },
      { currency: 'JPY', cents: 70 },
    ];
    const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts });
    expect(letter.subject).toBe('Money from Acme is waiting for you');
    expect(letter.text).toMatch(/^Hello Ada,\n\nAcme .*:\n\n {2}USD 2\.50\n {2}JPY 70\n\n/);
    expect(letter.html).toContain('<li><strong>USD 2.50</strong></li>');
    expect(letter.html).toContain('<html lang="en">');
  });

  test('let nothing out of a name: no tag, no line, no header', () => {
    const evil = '<b>"Eve"</b>\r\nBcc: all@example.com\u2028&';
    const letter = moneyWaiting({ clientName: evil, payeeName: evil, amounts: [{ currency: 'USD', cents: 1 }] });
    expect(letter.subject).toBe('Money from <b>"Eve"</b> Bcc: all@example.com & is waiting for you');
    expect(letter.text.split('\n')[0]).toBe('Hello <b>"Eve"</b> Bcc: all@example.com &,');
    expect(letter.html).not.toContain('<b>');
    expect(letter.html).toContain('&lt;b&gt;&quot;Eve&quot;&lt;/b&gt; Bcc');
  });

  test('greet whoever has no name', () => {
    expect(moneyWaiting({ clientName: 'Acme', payeeName: null, amounts: [] }).text).toMatch(/^Hello,\n/);
  });
});
