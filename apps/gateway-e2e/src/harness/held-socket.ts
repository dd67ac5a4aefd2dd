/** A connection that a spec holds open, writes to when it likes, and reads as it comes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './api';

export class HeldSocket {
  text = '';
  /** Settles when the other side, or we, ended it. */
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.text += chunk.toString('latin1')));
    socket.on('error', () => undefined); // a reset is one way to be closed
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(port: number): Promise<HeldSocket> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new HeldSocket(socket);
  }

  write(bytes: string): void {
    this.socket.write(bytes);
  }

  async received(what: RegExp): Promise<string> {
    return eventually(
      () => Promise.resolve(this.text),
      (text) => what.test(text),
    );
  }
}
