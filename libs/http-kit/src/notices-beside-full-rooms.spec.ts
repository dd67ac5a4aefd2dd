/** Four addresses send slowly, and fill the room of strangers. Stripe tells a whole account at once, in six kilobytes and more, and is let in. */
import { BodyRoom, limitsOf } from './body-room';

const MIB = 1_048_576;
const A_NOTICE = 6_000;

test('the notice of a provider that has nothing else under way is let in beside four addresses that fill the room of strangers', () => {
  const room = new BodyRoom(64 * MIB);
  const { largest, small } = limitsOf({ name: '', known: false });
  for (let address = 1; address <= 4; address += 1)
    for (let body = 0; body < 32; body += 1)
      room.placeFor({ name: `192.0.2.${address}`, known: false }).growTo(largest);
  const place = room.placeFor({ name: '198.51.100.7', known: false });
  place.growTo(small);
  expect(() => place.growTo(A_NOTICE)).not.toThrow();
});

test('who has more under way than that one has no more room by it', () => {
  const room = new BodyRoom(64 * MIB);
  const { largest, small } = limitsOf({ name: '', known: false });
  for (let address = 1; address <= 4; address += 1)
    for (let body = 0; body < 32; body += 1)
      room.placeFor({ name: `192.0.2.${address}`, known: false }).growTo(largest);
  const [first, second] = [1, 2].map(() => room.placeFor({ name: '198.51.100.7', known: false }));
  first?.growTo(A_NOTICE);
  second?.growTo(small);
  expect(() => second?.growTo(A_NOTICE)).toThrow('more bodies under way');
});
