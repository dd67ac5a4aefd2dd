import { Socket } from 'node:net';
import { Crowd, type Doing } from './crowd';

/** A socket that nobody connected, of the address it says. */
const guestFrom = (address: string): Socket => Object.defineProperty(new Socket(), 'remoteAddress', { value: address });

describe('a crowd of connections', () => {
  const doing = new Map<Socket, Doing>();
  let crowd: Crowd;
  beforeEach(() => {
    doing.clear();
    crowd = new Crowd({ all: 8, perAddress: 4 }, (socket) => doing.get(socket) ?? 'nothing');
  });
  const makeRoom = (gone: Socket | null): Socket | null => {
    gone?.emit('close');
    return gone;
  };
  /** Comes in; whoever has to go for it is gone. */
  const enter = (address: string): { guest: Socket; gone: Socket | null } => {
    const guest = guestFrom(address);
    return { guest, gone: makeRoom(crowd.add(guest)) };
  };
  /** Comes in and shows a key; then it is at whatever is said. */
  const call = (caller: string, at: Doing): { guest: Socket; gone: Socket | null } => {
    const { guest, gone } = enter('10.9.9.9');
    expect(gone).toBeNull();
    doing.set(guest, at);
    const [first = null, ...others] = crowd.recognise(guest, caller).map(makeRoom);
    expect(others).toEqual([]);
    return { guest, gone: first };
  };

  test('of one address its oldest stranger goes, and nobody else’s', () => {
    const [first] = [enter('10.0.0.1'), enter('10.0.0.2'), enter('10.0.0.1'), enter('10.0.0.1'), enter('10.0.0.1')];
    expect(enter('10.0.0.1').gone).toBe(first?.guest);
  });

  test('of all addresses the one with most strangers loses its oldest', () => {
    enter('10.0.0.2');
    const { guest } = enter('10.0.0.1');
    enter('10.0.0.1');
    for (let last = 3; last < 8; last += 1) enter(`10.0.0.${last}`);
    expect(enter('10.0.0.9').gone).toBe(guest);
  });

  test('who showed a key is no stranger of its address', () => {
    for (const caller of ['a', 'b', 'c', 'd', 'e', 'f']) expect(call(caller, 'nothing').gone).toBeNull();
  });

  test('one caller has a quarter: past it an idle one of its own goes, and none of anybody else', () => {
    const other = call('b', 'nothing');
    call('a', 'sending');
    const idle = call('a', 'nothing');
    expect(call('a', 'sending').gone).toBe(idle.guest);
    expect(crowd.recognise(other.guest, 'b')).toEqual([]);
  });

  test('then the oldest that is still being sent, then one whose answer nobody takes', () => {
    const taking = call('a', 'taking');
    const sending = call('a', 'sending');
    expect(call('a', 'sending').gone).toBe(sending.guest);
    doing.forEach((_, socket) => socket !== taking.guest && doing.set(socket, 'waiting'));
    expect(call('a', 'waiting').gone).toBe(taking.guest);
  });

  test('of those that show a key at the same moment each makes another one go', () => {
    const guests = Array.from({ length: 4 }, () => guestFrom('10.0.0.1'));
    for (const guest of guests) crowd.add(guest);
    expect(guests.map((guest) => crowd.recognise(guest, 'a'))).toEqual([[], [], [guests[0]], [guests[1]]]);
  });

  test('one whose refusal is put off goes: nothing was done for it', () => {
    const refused = call('a', 'refused');
    call('a', 'waiting');
    expect(call('a', 'waiting').gone).toBe(refused.guest);
  });

  test('nobody who waits for an answer goes, so a caller may have more of those', () => {
    for (let count = 0; count < 6; count += 1) expect(call('a', 'waiting').gone).toBeNull();
  });

  test('those that went past the quarter that way go as soon as they may', () => {
    const guests = Array.from({ length: 4 }, () => call('a', 'waiting').guest);
    doing.clear();
    const late = enter('10.0.0.1').guest;
    expect(crowd.recognise(late, 'a')).toEqual(guests.slice(0, 3));
  });

  test('among callers alone, whoever has most makes room for who comes', () => {
    const idle = call('b', 'nothing');
    for (let count = 0; count < 5; count += 1) call('a', 'waiting');
    const sent = call('c', 'sending');
    call('c', 'waiting');
    expect(enter('10.0.0.1').gone).toBe(sent.guest);
    enter('10.0.0.1').guest.emit('close');
    expect(idle.guest.destroyed).toBe(false);
  });

  test('where all wait for an answer, the new one goes', () => {
    for (const caller of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) call(caller, 'waiting');
    const late = enter('10.0.0.1');
    expect(late.gone).toBe(late.guest);
  });

  test('a connection that many callers share counts for the one that came last', () => {
    const { guest } = call('a', 'nothing');
    crowd.recognise(guest, 'b');
    call('a', 'nothing');
    expect(call('a', 'nothing').gone).toBeNull();
    call('b', 'nothing');
    expect(call('b', 'nothing').gone).toBe(guest);
  });
});
