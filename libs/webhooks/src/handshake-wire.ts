/**
 * Stands between a receiver's connection and its TLS until that is secure. A receiver's certificates come before anybody knows whose
 * they are, and all of them are verified: they are bounded before OpenSSL sees them, and computed when it is their turn.
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Handshake, HandshakeTurns } from './handshake-turns';

/** Four certificates with RSA keys of 4096 bits and a hundred names come to 7 KiB, and to 9 with what authorities add to them. */
export const HANDSHAKE_BYTES = 16_384;

export class HandshakeWire extends Duplex {
  private received = 0;
  private isSecure = false;
  private isWaiting = false;
  private readonly handshake: Handshake;

  constructor(
    private readonly socket: Socket,
    host: string,
    private readonly turns: HandshakeTurns,
  ) {
    super();
    this.handshake = { host, isCostly: false };
    socket.on('data', (bytes: Buffer) => this.arrived(bytes));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** What comes now is an answer, and bounded elsewhere. */
  secured(): void {
    this.isSecure = true;
    this.turns.succeeded(this.handshake);
  }

  override _read(): void {
    if (!this.isWaiting) this.socket.resume();
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(bytes, encoding, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private arrived(bytes: Buffer): void {
    if (this.isSecure) return this.handOn(bytes);
    this.received += bytes.length;
    if (this.received > HANDSHAKE_BYTES) return void this.destroy(tooLarge());
    this.isWaiting = true;
    this.socket.pause();
    this.turns.take(this.handshake, () => {
      this.isWaiting = false;
      this.socket.resume();
      this.handOn(bytes);
    });
  }

  private handOn(bytes: Buffer): void {
    if (!this.destroyed && !this.push(bytes)) this.socket.pause();
  }
}

const tooLarge = (): Error =>
  Object.assign(
    new Error(
      `The receiver's certificates come to more than ${HANDSHAKE_BYTES / 1_024} KiB. Have it send its own and those between it and the root, no others.`,
    ),
    { code: 'ERR_TLS_CERTIFICATES_TOO_LARGE' },
  );
