/** A mail server that answers each command as it is told to, or does nothing but drip one answer that never ends. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

type Command = 'CONN' | 'EHLO' | 'HELO' | 'AUTH' | 'STARTTLS' | 'MAIL' | 'RCPT' | 'DATA' | 'BODY';
export type Script = Partial<Record<Command, string>>;

const WILLING: Script = { CONN: '220 here', DATA: '354 go on' };
const DRIP_MS = 20;

export interface ScriptedServer {
  address: string;
  stop(): Promise<void>;
}

export const scriptedServer = (script: Script): Promise<ScriptedServer> =>
  listening((socket) => follow({ ...WILLING, ...script }, socket));

export const drippingServer = (): Promise<ScriptedServer> =>
  listening((socket) => {
    socket.write('220 here\r\n');
    const drip = setInterval(() => socket.write('250-and\r\n'), DRIP_MS);
    socket.on('close', () => clearInterval(drip));
  });

async function listening(serve: (socket: Socket) => void): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // whoever hangs up on us is the point of these tests
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

function follow(script: Script, socket: Socket): void {
  let inBody = false;
  const answer = (line: string): string | undefined => {
    if (inBody) {
      inBody = line !== '.';
      return inBody ? undefined : script.BODY;
    }
    const command = line.split(' ')[0]?.toUpperCase() as Command;
    inBody = command === 'DATA' && script.DATA === WILLING.DATA;
    return script[command];
  };
  socket.write(`${script.CONN}\r\n`);
  let unread = '';
  socket.on('data', (data: Buffer) => {
    const lines = (unread + data.toString()).split('\r\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const wasBody = inBody;
      const said = answer(line);
      if (!wasBody || !inBody) socket.write(`${said ?? '250 fine'}\r\n`);
    }
  });
}
