/**
 * If a process stood still while it served a request, and the sender has gone, nothing is done for it any more: the sender may have asked
 * another process since, and for the opposite.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Wish } from '#libs/db';
import { Refusal } from '#libs/domain';
import { loopWatch } from '#libs/telemetry';

/** Turns of the event loop until it shows that a connection has ended behind what came over it. */
const TURNS_TO_SEE = 4;

export async function hasLeft({ socket }: Pick<Request, 'socket'>): Promise<boolean> {
  for (let turn = 0; turn < TURNS_TO_SEE; turn += 1) await othersFirst();
  return !socket.writable;
}

/** A sender who left at another time may still find it done, as ever; and once it was answered, what goes on is not a wish any more. */
export function wishOf(request: Request, response: Response): Wish {
  const since = performance.now();
  let end: 'heard' | 'unheard' | null = null;
  response.once('close', () => {
    end = !response.writableFinished && loopWatch.stoodStillSince(since) ? 'unheard' : 'heard';
  });
  const refuse = async (): Promise<void> => {
    if (end === 'unheard' || (end === null && (await hasLeft(request)) && !response.writableEnded)) throw unwanted();
  };
  return {
    inDoubt: () => (end === 'heard' || !loopWatch.stoodStillSince(since) ? null : refuse()),
  };
}

/** Nobody hears it. */
const unwanted = (): Refusal =>
  new Refusal(
    'invalid_request',
    'The connection ended while this process stood still. What was left to do is not done.',
  );
