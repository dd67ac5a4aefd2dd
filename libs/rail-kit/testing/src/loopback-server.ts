/** A real HTTP server on loopback for a fake provider, so that a rail's own client is part of what is tested. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  url: string;
  /** Ends the calls that were left hanging too. */
  close(): Promise<void>;
}

/** On any port that is free, unless it is told which. */
export async function startLoopbackServer(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
