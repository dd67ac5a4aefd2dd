/** Everything a receiver can do wrong. */
import type { ServerResponse } from 'node:http';
import type { Behaviour } from './receiver';

export const MISBEHAVIOUR: Record<string, { behave: Behaviour; statusCode: number | null; error: string }> = {
  'answers 500': {
    behave: (response) => void response.writeHead(500).end('out of order'),
    statusCode: 500,
    error: 'not_2xx',
  },
  'answers 302': {
    behave: (response, { path }) => void response.writeHead(302, { location: `http://127.0.0.1${path}` }).end(),
    statusCode: 302,
    error: 'not_2xx',
  },
  'never answers': { behave: () => undefined, statusCode: null, error: 'timeout' },
  'resets the connection': {
    behave: (response) => void response.socket?.resetAndDestroy(),
    statusCode: null,
    error: 'connection_lost',
  },
  'answers no HTTP': {
    behave: (response) => void response.socket?.end('220 mail.example.com ESMTP\r\n'),
    statusCode: null,
    error: 'bad_answer',
  },
  'sends its head byte by byte': { behave: dripHead, statusCode: null, error: 'timeout' },
  'sends endless headers': { behave: floodHeaders, statusCode: null, error: 'bad_answer' },
  'says for ever that an answer is to come': { behave: floodInfos, statusCode: null, error: 'bad_answer' },
  'refuses with a gigabyte': { behave: (response) => flood(response, 503), statusCode: 503, error: 'not_2xx' },
  'refuses with a bomb that is small only while it is packed': {
    behave: (response) =>
      void response.writeHead(503, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b0800000000000003', 'hex')),
    statusCode: 503,
    error: 'not_2xx',
  },
};

/** As much as the other side takes, up to a gigabyte. */
export function flood(response: ServerResponse, status: number, sent: (bytes: number) => void = () => undefined): void {
  const chunk = Buffer.alloc(65_536, 'x');
  let bytes = 0;
  const more = (): void => {
    while (!response.destroyed && bytes < 1e9) {
      bytes += chunk.length;
      sent(bytes);
      if (!response.write(chunk)) return void response.once('drain', more);
    }
  };
  response.writeHead(status);
  more();
}

function dripHead(response: ServerResponse): void {
  const { socket } = response;
  const head = [...'HTTP/1.1 200 OK\r\nx: '];
  const timer = setInterval(() => socket?.write(head.shift() ?? 'x'), 10);
  socket?.once('close', () => clearInterval(timer));
}

function floodHeaders(response: ServerResponse): void {
  response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}`);
}

function floodInfos({ socket }: ServerResponse): void {
  const many = 'HTTP/1.1 103 E\r\n\r\n'.repeat(4_096);
  const more = (): void => {
    while (socket && !socket.destroyed && socket.write(many));
  };
  socket?.on('drain', more);
  more();
}
