/**
 * Structured logs, one JSON line each. Only named fields are ever logged: no header, no body, no e-mail address, no link.
 */
import { ConsoleLogger, type LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import { logContext } from './log-context';
import { LogOutput } from './log-output';

export type Log = Logger;

const STDOUT = 1;

export const log: Log = pino(
  {
    level: 'info',
    timestamp: pino.stdTimeFunctions.isoTime,
    base: null,
    mixin: logContext,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.secret', '*.token', '*.email', '*.claimUrl', '*.url'], censor: '[hidden]' },
  },
  new LogOutput(STDOUT, (lines) => log.warn({ event: 'log.lost', lines }, 'so much of the log was not taken in time')),
);

export function setLogLevel(level: string): void {
  log.level = level;
}

/** Nest's own messages in the same form; its start-up chatter only if somebody debugs. */
export class NestLog extends ConsoleLogger implements LoggerService {
  override log(message: unknown): void {
    log.debug({ event: 'nest' }, String(message));
  }

  override warn(message: unknown): void {
    log.warn({ event: 'nest' }, String(message));
  }

  override error(message: unknown, ...rest: unknown[]): void {
    log.error({ event: 'nest', stack: rest.find((part) => typeof part === 'string') }, String(message));
  }

  override debug(message: unknown): void {
    log.trace({ event: 'nest' }, String(message));
  }
}
