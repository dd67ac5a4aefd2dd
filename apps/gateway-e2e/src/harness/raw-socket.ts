/** HTTP as bytes, for what no well-behaved client would send. */
import { connect } from 'node:net';
import { underTest } from './api';

/** What came back until the server closed the connection or nothing came any more. */
export function sendBytes(bytes: string, { waitMs = 10_000 }: { waitMs?: number } = {}): Promise<string> {
  const { hostname, port } = new URL(underTest().urls[0] as string);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(waitMs, done);
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', done);
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? done() : reject(error)));
  });
}

export const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

export function requestBytes(method: string, path: string, headers: string[], body = ''): string {
  return [`${method} ${path} HTTP/1.1`, ...headers, '', body].join('\r\n');
}
