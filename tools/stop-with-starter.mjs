// Loaded into the gateway by start.mjs: when the other end of the pipe goes, so did the starter, even by kill -9.
import { Socket } from 'node:net';

const starter = new Socket({ fd: 3, readable: true, writable: false });
starter.on('error', () => undefined);
starter.on('close', () => process.kill(process.pid, 'SIGTERM'));
starter.resume();
starter.unref();
