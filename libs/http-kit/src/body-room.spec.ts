import { BodyRoom, type Place } from './body-room';

const KIB = 1024;
const caller = (name: string) => ({ name, known: true });
const stranger = (name: string) => ({ name, known: false });
const full = expect.objectContaining({ code: 'service_unavailable' });

describe('the room for bodies', () => {
  let room: BodyRoom;
  beforeEach(() => {
    room = new BodyRoom(1_024 * KIB);
  });
  const take = (sender: { name: string; known: boolean }, bytes: number): Place => {
    const place = room.placeFor(sender);
    place.growTo(bytes);
    return place;
  };

  test('a quarter of it is for one caller, and comes back', () => {
    const place = take(caller('a'), 200 * KIB);
    expect(() => take(caller('a'), 57 * KIB)).toThrow(full);
    take(caller('a'), 56 * KIB);
    place.giveBack();
    take(caller('a'), 200 * KIB);
  });

  test('small bodies of callers are let in though all of it is taken, larger ones are not', () => {
    for (const name of ['a', 'b', 'c', 'd']) take(caller(name), 256 * KIB);
    expect(() => take(caller('e'), 17 * KIB)).toThrow(full);
    take(caller('a'), 16 * KIB);
    take(caller('e'), 16 * KIB);
  });

  test('small is the whole body, not the piece by which it grows', () => {
    for (const name of ['a', 'b', 'c', 'd']) take(caller(name), 256 * KIB);
    const place = take(caller('a'), 16 * KIB);
    expect(() => place.growTo(17 * KIB)).toThrow(full);
    place.growTo(16 * KIB);
  });

  test('however many small bodies one caller has, others have their room', () => {
    const places = Array.from({ length: 200 }, () => take(caller('a'), 16 * KIB));
    for (const name of ['b', 'c', 'd']) take(caller(name), 256 * KIB);
    expect(() => take(caller('e'), 17 * KIB)).toThrow(full);
    for (const place of places) place.giveBack();
    take(caller('e'), 256 * KIB);
  });

  test('strangers share an eighth beside it, and one address has a quarter of that', () => {
    expect(() => take(stranger('1'), 33 * KIB)).toThrow(full);
    for (const name of ['1', '2', '3', '4']) take(stranger(name), 32 * KIB);
    expect(() => take(stranger('5'), 17 * KIB)).toThrow(full);
    take(stranger('5'), 16 * KIB); // as large as a provider's notice
    expect(() => take(stranger('5'), 5 * KIB)).toThrow(full);
    take(stranger('5'), 4 * KIB);
    for (const name of ['a', 'b', 'c', 'd']) take(caller(name), 256 * KIB);
  });
});
