/**
 * Answers that nobody takes: each stays in our memory until it is read. Whoever reads too slowly is cut off; and if all of
 * them together take too much, so is whoever has most of it.
 */
import type { ServerResponse } from 'node:http';
import { metrics } from '#libs/telemetry';

/** As long as a request may take to arrive, and a little more. */
const WITHIN_MS = 30_000;
const WITHIN_MS_OF_A_STOP = 5_000;
/** A process writes some tens of mebibytes in this time. */
const LOOK_EVERY_MS = 250;

export interface AnswerUnderWay {
  response: ServerResponse;
  /** The client that has shown a key there. Answers to strangers are small, or the same bytes for all of them. */
  caller: string | undefined;
}

export class UntakenAnswers {
  private readonly seenAt = new WeakMap<ServerResponse, number>();
  private withinMs = WITHIN_MS;

  constructor(
    private readonly underWay: () => Iterable<AnswerUnderWay>,
    private readonly room: number,
  ) {
    setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  /** A process that stops waits for nobody who only holds on to an answer. */
  hurry(): void {
    this.withinMs = WITHIN_MS_OF_A_STOP;
  }

  look(now: number): void {
    const inMemory: AnswerUnderWay[] = [];
    for (const answer of this.underWay()) {
      const { response, caller } = answer;
      if (!response.headersSent) continue;
      const seenAt = this.seenAt.get(response) ?? now;
      this.seenAt.set(response, seenAt);
      if (now - seenAt >= this.withinMs) cutOff(response);
      else if (caller !== undefined && response.writableLength > 0) inMemory.push(answer);
    }
    this.makeRoom(inMemory);
  }

  /** Of whoever has most of it the answers that were seen first go, until the others fit. */
  private makeRoom(answers: AnswerUnderWay[]): void {
    let taken = answers.reduce((sum, { response }) => sum + response.writableLength, 0);
    if (taken <= this.room) return;
    const byCaller = new Map<string, { bytes: number; responses: ServerResponse[] }>();
    for (const { response, caller = '' } of answers) {
      const own = byCaller.get(caller) ?? { bytes: 0, responses: [] };
      byCaller.set(caller, own);
      own.bytes += response.writableLength;
      own.responses.push(response);
    }
    for (const { responses } of byCaller.values()) responses.sort((a, b) => this.ageOf(a) - this.ageOf(b));
    while (taken > this.room) {
      const [most] = [...byCaller.values()].sort((a, b) => b.bytes - a.bytes);
      const oldest = most?.responses.shift();
      if (!most || !oldest) return;
      most.bytes -= oldest.writableLength;
      taken -= oldest.writableLength;
      cutOff(oldest);
    }
  }

  private readonly ageOf = (response: ServerResponse): number => this.seenAt.get(response) ?? 0;
}

function cutOff(response: ServerResponse): void {
  metrics.turnedAway.inc({ for: 'answers' });
  response.destroy();
}
