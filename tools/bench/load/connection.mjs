// One keep-alive connection that knows just enough of HTTP to tell where an answer ends.
import { once } from 'node:events';
import { connect } from 'node:net';

const NONE = Buffer.alloc(0);

export class Connection {
  #socket;
  #head = NONE;
  #status = null;
  #left = 0;
  #settle = () => undefined;

  constructor(target) {
    this.target = target;
  }

  async open() {
    const socket = connect({ port: this.target.port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#end(error.code));
    socket.on('close', () => socket === this.#socket && this.#end('closed'));
    await once(socket, 'connect');
    return this;
  }

  /** Returns the status, or a word for what went wrong. One that was closed while it was idle is opened again. */
  async exchange(request) {
    if (this.#socket.destroyed) await this.open();
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#socket.write(request);
    });
  }

  #read(chunk) {
    if (this.#status !== null) return this.#skip(chunk.length);
    this.#head = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk;
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#head.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.#end('an answer without a length');
    const bodyRead = this.#head.length - end - 4;
    this.#status = Number(head.slice(9, 12));
    this.#left = Number(length);
    this.#head = NONE;
    this.#skip(bodyRead);
  }

  #skip(bytes) {
    this.#left -= bytes;
    if (this.#left <= 0) this.#end(this.#status);
  }

  #end(outcome) {
    this.#status = null;
    this.#settle(outcome);
  }
}
