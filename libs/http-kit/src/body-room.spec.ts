import { BodyRoom } from './body-room';

const KIB = 1024;
const caller = (name: string) => ({ name, known: true });
const stranger = (name: string) => ({ name, known: false });
const full = expect.objectContaining({ code: 'service_unavailable' });

describe('the room for bodies', () => {
  let room: BodyRoom;
  beforeEach(() => {
    room = new BodyRoom(1_024 * KIB);
  });

  test('a quarter of it is for one caller, and comes back', () => {
    const giveBack = room.take(caller('a'), 200 * KIB);
    expect(() => room.take(caller('a'), 57 * KIB)).toThrow(full);
    room.take(caller('a'), 56 * KIB);
    giveBack();
    room.take(caller('a'), 200 * KIB);
  });

  test('small bodies of callers are let in though all of it is taken, larger ones are not', () => {
    for (const name of ['a', 'b', 'c', 'd']) room.take(caller(name), 256 * KIB);
    expect(() => room.take(caller('e'), 17 * KIB)).toThrow(full);
    room.take(caller('a'), 16 * KIB);
    room.take(caller('e'), 16 * KIB);
  });

  test('strangers share an eighth beside it, and one address has a quarter of that', () => {
    expect(() => room.take(stranger('1'), 33 * KIB)).toThrow(full);
    for (const name of ['1', '2', '3', '4']) room.take(stranger(name), 32 * KIB);
    expect(() => room.take(stranger('5'), 1)).toThrow(full);
    for (const name of ['a', 'b', 'c', 'd']) room.take(caller(name), 256 * KIB);
  });
});
