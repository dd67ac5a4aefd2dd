import { Socket } from 'node:net';
import { vouchFor } from '#libs/http-kit';
import { Crowd, neighbourhoodOf } from './crowd';

/** A socket that nobody connected, of the address it says. */
const guestFrom = (address: string): Socket => Object.defineProperty(new Socket(), 'remoteAddress', { value: address });

const showKey = (socket: Socket): void => vouchFor({ socket } as Parameters<typeof vouchFor>[0]);

describe('a crowd of connections', () => {
  const busy = new Set<Socket>();
  let crowd: Crowd;
  beforeEach(() => {
    busy.clear();
    crowd = new Crowd({ all: 4, perAddress: 2 }, (socket) => busy.has(socket));
  });
  /** Comes in; whoever has to go for it is gone. */
  const enter = (address: string): { guest: Socket; gone: Socket | null } => {
    const guest = guestFrom(address);
    const gone = crowd.add(guest);
    gone?.emit('close');
    return { guest, gone };
  };

  test('of one address its oldest stranger goes, and nobody else’s', () => {
    const [first] = [enter('10.0.0.1'), enter('10.0.0.2'), enter('10.0.0.1')];
    expect(enter('10.0.0.1').gone).toBe(first?.guest);
  });

  test('of all addresses the one with most strangers loses its oldest', () => {
    enter('10.0.0.2');
    const { guest } = enter('10.0.0.1');
    enter('10.0.0.1');
    enter('10.0.0.3');
    expect(enter('10.0.0.4').gone).toBe(guest);
  });

  test('who showed a key is no stranger of its address', () => {
    const known = [enter('10.0.0.1'), enter('10.0.0.1')];
    for (const { guest } of known) showKey(guest);
    expect([enter('10.0.0.1').gone, enter('10.0.0.1').gone]).toEqual([null, null]);
  });

  test('among those who all showed one the longest idle goes, and none in the middle of a request', () => {
    const known = Array.from({ length: 4 }, (_, index) => enter(`10.0.0.${index}`).guest);
    known.forEach(showKey);
    busy.add(known[0] as Socket);
    expect(enter('10.0.0.9').gone).toBe(known[1]);
    const newest = [known[0], known[2], known[3]] as Socket[];
    for (const socket of newest) busy.add(socket);
    const { guest } = enter('10.0.1.1'); // the one before it showed no key yet
    for (const socket of [guest]) showKey(socket);
    busy.add(guest);
    const late = enter('10.0.1.2');
    expect(late.gone).toBe(late.guest);
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1:2:3:4', 'fe80:0:0:0'],
    ['', ''],
  ])('%s lives in %s', (address, neighbourhood) => expect(neighbourhoodOf(address)).toBe(neighbourhood));
});
