import { moneyWaiting } from './money-waiting';
import { personName } from './person-name';
import { businessName } from './words';

describe('letters', () => {
  test('name each sum once, in plain text and in HTML', () => {
    const amounts = [
      { currency: 'USD', cents: 250 },
      { currency: 'JPY', cents: 70 },
    ];
    const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts });
    expect(letter.subject).toBe('Money from Acme is waiting for you');
    expect(letter.text).toMatch(/^Hello Ada,\n\nAcme .*:\n\n {2}\$2\.50\n {2}¥70\n\nSee my money: %LINK%\n\n/);
    expect(letter.html).toContain('<li><strong>$2.50</strong></li>');
    expect(letter.html).toContain('<html lang="en" dir="ltr">');
  });

  test('let nothing out of a name: no tag, no line, no header', () => {
    const evil = '<b>"Eve"</b>\r\nBcc: all@example.com\u2028&';
    const letter = moneyWaiting({ clientName: evil, payeeName: evil, amounts: [{ currency: 'USD', cents: 1 }] });
    expect(letter.subject).toBe('Money from b Eve b Bcc & is waiting for you');
    expect(letter.text.split('\n')[0]).toBe('Hello,');
    expect(letter.html).not.toMatch(/Eve<|<b>|all@/);
    expect(letter.html).toContain('b Eve b Bcc &amp; has set');
  });

  test('speak the language of their payee', () => {
    const amounts = [{ currency: 'EUR', cents: 250 }];
    const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts, locales: ['de-AT', 'fr'] });
    expect(letter.subject).toBe('Geld von Acme wartet auf Sie');
    expect(letter.html).toContain('>2,50\u00a0€</p>');
  });

  test('say where to ask for help, and have the colour of whoever pays', () => {
    const brand = { color: '#0b5d3b', supportEmail: 'help@acme.example' };
    const { text, html } = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts: [], brand });
    expect(text.trimEnd().split('\n').at(-1)).toBe('Questions? help@acme.example');
    expect(html).toContain('<p>Questions? help@acme.example</p>');
    expect(html).toContain('background:#0b5d3b;');
  });

  test('greet whoever has no name', () => {
    expect(moneyWaiting({ clientName: 'Acme', payeeName: null, amounts: [] }).text).toMatch(/^Hello,\n/);
  });

  test.each([
    'Ada',
    'ada lovelace',
    'Ada Lovelace',
    "Siobhán O'Brien-Núñez",
    'Ludwig van Beethoven',
    'J. R. R. Tolkien',
    'Martin Luther King Jr.',
    'Жанна Агузарова',
    'محمد بن سلمان',
    'நரேந்திர மோதி',
    'María de la Cruz Gómez',
    'Johann Wolfgang von Goethe',
    'DJ Ada',
    "D'Angelo",
    'Ronald McDonald',
    'LeBron DeVito',
  ])('greet %s by name', (name) => expect(personName(name)).toBe(name));

  test.each([
    'https://evil.example',
    'http evil',
    'www.evil',
    'evil.example',
    'Ada evil.example',
    'Ada.Lovelace',
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'evil。example',
    'evil\u200b.\u200bexample',
    'evil/login',
    'ada@example.com',
    'Call 0800 123456',
    'Your account is blocked!',
    'your account is blocked',
    'Your account was closed today',
    'Ada: pay here',
    'One Two Three Four Five Six',
    'A'.repeat(61),
    '\u202egnp.exe',
    '💸💸💸',
    'Your Account Was Hacked',
    'Your-Account-Was-Hacked',
    "Your'Account'Was'Hacked",
    'Pay Now Or Lose Everything',
    'Pay us now or die',
    'SEND BITCOIN TO UNLOCK ACCOUNT',
    'ACCOUNT HACKED',
    'YourAccountIsClosed CallNow',
    'EvilDotComSlashLogin',
    'evil .com',
    'Call Zero Eight Hundred Nine',
    '您的账户已被冻结请立即拨打电话一三八零零一三八零零零联系客服否则资金将被没收',
    '您的账户已被冻结',
    'お金を払わないと口座は閉じる',
    'บัญชีของคุณถูกระงับกรุณาติดต่อเจ้าหน้าที่ทันที',
    'คลิกที่นี่เพื่อรับเงิน', // click here to get the money
    '계좌가 정지됐어요', // the account was suspended
    '点击领奖', // click for the prize
    '山田 太郎', // a name, which nothing tells from these
    'やまだ たろう',
    '김민준',
    'สมชาย ใจดี',
    'evil.\u0301com',
    'evil\ua4f8com',
    'A'.repeat(31),
    '...',
    '',
    '   ',
  ])('do not greet by %j, which says more than a name', (name) => {
    expect(personName(name)).toBeNull();
    const { text, html } = moneyWaiting({ clientName: 'Acme', payeeName: name, amounts: [] });
    expect(text).toMatch(/^Hello,\n/);
    expect(html).toContain('<p>Hello,</p>');
  });

  test.each([
    ['Acme, Inc.', 'Acme, Inc.'],
    ['Größe & Söhne (Wien)', 'Größe & Söhne (Wien)'],
    ['Studio 54', 'Studio 54'],
    ['Booking.com', 'Booking com'],
    ['Acme https://evil.example/x', 'Acme'],
    ['Acme www.evil.example pays', 'Acme pays'],
    ['Acme evil.example/login', 'Acme evil example login'],
    ['Acme\r\nBcc: all', 'Acme Bcc all'],
    ['ask pay@evil.example', 'ask'],
    ['One Two Three Four Five Six Seven Eight', 'One Two Three Four Five Six'],
    [`${'A'.repeat(50)} ${'B'.repeat(50)}`, 'A'.repeat(50)],
    ['A'.repeat(200), 'Your payer'],
    ['https://evil.example', 'Your payer'],
    ['!!!', 'Your payer'],
  ])('call the business %j %j', (name, shown) => {
    expect(businessName(name)).toBe(shown);
    const { subject, text } = moneyWaiting({ clientName: name, payeeName: null, amounts: [] });
    expect(`${subject}\n${text}`).not.toMatch(/:\/\/|www\.|\p{L}\.\p{L}|@/u);
  });
});
