import { mailboxOf } from './mail';

describe('the mailbox of an address', () => {
  test.each([
    ['Ada@Example.com', 'ada@example.com'],
    ['ada+news@example.com', 'ada@example.com'],
    ['a.d.a+news@gmail.com', 'ada@gmail.com'],
    ['a.d.a@googlemail.com', 'ada@gmail.com'],
    ['ada-shop@yahoo.com', 'ada@yahoo.com'],
    ['ada-shop@yahoo.co.uk', 'ada@yahoo.co.uk'],
    ['a.d_a-@protonmail.com', 'ada@proton.me'],
    ['ada+news@pm.me', 'ada@proton.me'],
    ['a.d-a@ya.ru', 'ada@yandex.com'],
    ['ada@me.com', 'ada@icloud.com'],
    ['ada@outlook.com', 'ada@outlook.com'],
    ['a.d-a@example.com', 'a.d-a@example.com'],
    ['a.d.a@gmail.com.example', 'a.d.a@gmail.com.example'],
    ['a-b@yahoo.example', 'a-b@yahoo.example'],
  ])('of %s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));
});
