/** Signals are lost with their connection, and come back with the next one, together with the news that some may be missing. */
import { Signals, StandingConnection } from '#libs/db';
import { setLogLevel } from '#libs/telemetry';
import { PostgresProxy } from './postgres-proxy';
import { scratchDb, type ScratchDb } from './scratch-database';

const CHANNEL = 'spec_news';

describe('signals', () => {
  let scratch: ScratchDb;
  let proxy: PostgresProxy;
  let connection: StandingConnection;
  let signals: Signals;
  let sender: Signals;
  const heard: string[] = [];
  let wake: () => void = () => undefined;

  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    proxy = await PostgresProxy.start(scratch.url);
    connection = new StandingConnection(proxy.url);
    signals = new Signals(scratch.db, connection);
    sender = new Signals(scratch.db, new StandingConnection(scratch.url));
    signals.listen(CHANNEL, (payload) => {
      heard.push(payload);
      wake();
    });
    await signals.onApplicationBootstrap();
  });
  beforeEach(() => heard.splice(0));
  afterAll(async () => {
    signals.onApplicationShutdown();
    await connection.onApplicationShutdown();
    await proxy.stop();
    await scratch.drop();
  });

  const hears = async (payload: string): Promise<void> => {
    while (!heard.includes(payload)) await new Promise<void>((resolve) => (wake = resolve));
  };
  const pid = async (): Promise<number> => {
    const [session] = await connection.ask<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return session?.pid ?? 0;
  };

  test('are heard, equal ones once', async () => {
    sender.send(CHANNEL, 'a');
    sender.send(CHANNEL, 'a');
    sender.send(CHANNEL, 'b');
    await hears('b');
    expect(heard).toEqual(['a', 'b']);
  });

  test('lost with their connection: the next one brings the news that some may be missing, and new ones', async () => {
    await proxy.terminate(await pid());
    await scratch.db.execute('SELECT pg_notify($1, $2)', [CHANNEL, 'missed']);
    await hears('');
    sender.send(CHANNEL, 'c');
    await hears('c');
    expect(heard).toEqual(['', 'c']);
  });

  test('a server that falls silent is found out, and left for another connection', async () => {
    proxy.decide = ({ sql }) => (sql === 'SELECT 1' ? 'silent' : 'pass');
    await expect(connection.ask('SELECT 1')).rejects.toMatchObject({ kind: 'away' });
    await hears('');
    sender.send(CHANNEL, 'd');
    await hears('d');
  });

  test('are heard on a channel that somebody takes an interest in later', async () => {
    const late: string[] = [];
    signals.listen('spec_later', (payload) => {
      late.push(payload);
      wake();
    });
    await connection.ask('SELECT 2'); // after LISTEN
    sender.send('spec_later', 'e');
    while (late.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    expect(late).toEqual(['e']);
  });
});
