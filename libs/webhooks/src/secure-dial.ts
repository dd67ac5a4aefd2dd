/** Dials one address, and lets nobody at it have us compute for long before its certificate is judged. */
import { constants } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, DEFAULT_CIPHERS } from 'node:tls';
import { buildConnector } from 'undici';
import { HandshakeTurns } from './handshake-turns';
import { HandshakeWire } from './handshake-wire';

const TLS = {
  /**
   * No key exchange in a group of the receiver's own: one of 10,000 bits takes seconds to compute, here and before anybody has
   * seen its certificate. Whoever speaks TLS 1.2 has elliptic curves.
   */
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  /** A second handshake, which TLS 1.2 has within a connection, would come with certificates that nobody counts. */
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** As undici has it for connections that it dials itself. */
const KEEP_ALIVE_MS = 60_000;

/** The time is for connection and handshake together. Without `trust` the authorities are those that Node knows. */
export function secureDial(timeout: number, trust: Pick<ConnectionOptions, 'ca'> = {}): buildConnector.connector {
  const turns = new HandshakeTurns();
  const dial = buildConnector({ timeout, ...TLS, ...trust });
  return (target, done) => {
    if (target.protocol !== 'https:') return dial(target, done);
    const socket = connect({ host: target.hostname, port: Number(target.port || 443) });
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    const wire = new HandshakeWire(socket, nameOf(target.host ?? target.hostname), turns);
    // tls.connect takes any stream, and the types of undici know sockets only
    dial({ ...target, httpSocket: wire as Duplex as Socket }, (...outcome) => {
      if (outcome[0] === null) wire.secured();
      done(...outcome);
    });
  };
}

/** Of all of its addresses and ports together. */
const nameOf = (host: string): string => host.replace(/:\d+$/, '');
