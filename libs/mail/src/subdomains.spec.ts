import { mailboxOf } from './mail';

// Point 10: limits per address. Fastmail delivers whatever@ada.fastmail.com to ada@fastmail.com, for every mailbox and unasked.
test('what stands before the subdomain of a Fastmail mailbox is for its owner to sort by', () => {
  const addresses = ['one@ada.fastmail.com', 'two@ada.fastmail.com', 'ada+three@fastmail.com'];
  expect(new Set(addresses.map(mailboxOf))).toEqual(new Set(['ada@fastmail.com']));
});
