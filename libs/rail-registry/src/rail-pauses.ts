/**
 * When a rail may be called: not while its provider wants to be left alone, and only so many times a second. This process follows a
 * provider's wish at once, and all others before they send. A wish in answer to a question holds for questions alone.
 */
import { Injectable } from '@nestjs/common';
import { onBehalfOfAll } from '#libs/db';
import { noteOnJob } from '#libs/jobs';
import type { NotNow } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { RailLanes } from './rail-lanes';
import { Rails } from './rails';
import { RowOfTurns } from './row-of-turns';
import { legible } from './sound';

/** The longest rest a provider may ask for, and the rest it gets if it asks for something that is not a time. */
const LONGEST_REST_SECONDS = 3_600;
const DEFAULT_REST_SECONDS = 30;
/** A short rest may be over before whoever was sent away asks for how long. */
const JUST_OVER_MS = 5_000;

/** The purposes of a call. The last two kinds, of operators and payees, can be as many as people like. */
const MONEY = 0;
const READING = 1;
/** Links and openings: providers give few of them. */
const LEADING = 2;
const NO_RESTS = [0, 0, 0];
const QUESTIONS: ReadonlyMap<string, number> = new Map([
  ...['lookupForCaller', 'readAccount', 'funding', 'arrivesAs', 'checkDestination', 'checkPayee'].map(
    (call) => [call, READING] as const,
  ),
  ...['openAccount', 'onboardingLink', 'payeeCheckLink', 'payeeLink'].map((call) => [call, LEADING] as const),
]);
const kindOf = (call: string): number => QUESTIONS.get(call) ?? MONEY;

function placesOf(call: string): 'sends' | 'money' | 'questions' {
  if (kindOf(call) !== MONEY) return 'questions';
  return call === 'submit' || call === 'advance' ? 'sends' : 'money';
}

@Injectable()
export class RailPauses {
  /** Of each rail, by what calls are for: until when, by this process's ticks. */
  private readonly leftAlone = new Map<string, number[]>();
  /** When whoever was sent away last may come again, by the same ticks. */
  private readonly again = new Map<string, number>();
  private readonly row: RowOfTurns;

  constructor(
    private readonly rails: Rails,
    private readonly lanes: RailLanes,
  ) {
    this.row = new RowOfTurns(lanes);
  }

  /** Waits for the turn of a call of this name; returns why it is not to be made now. */
  async turn(rail: string, call: string): Promise<NotNow | null> {
    const left = (this.restsUntil(rail, call) - performance.now()) / 1000;
    if (left > 0) return notNow(Math.ceil(left), 'the rail asked to be left alone');
    const perSecond = this.rails.traits(rail)?.callsPerSecond;
    if (!perSecond) return null;
    if (await this.row.waited({ rail, perSecond, kind: placesOf(call) })) return null;
    this.again.set(rail, performance.now() + 1000);
    return notNow(1, `it takes no more than ${perSecond} calls a second`);
  }

  /**
   * For a job that waits for this rail: it is told why, and in how many seconds it is worth trying again; null: nobody was sent
   * away for a time that is known.
   */
  async putOff(rail: string): Promise<number | null> {
    const closed = await this.lanes.closure(rail);
    // A payout that was never sent has no call of which anything could be kept.
    if (closed) noteOnJob(`nothing is sent to ${rail} now: ${closed.reason}: ${closed.detail}`);
    if (closed && closed.seconds !== null) return Math.ceil(closed.seconds);
    const left = (this.again.get(rail) ?? -Infinity) - performance.now();
    return left < -JUST_OVER_MS ? null : Math.max(1, Math.ceil(left / 1000));
  }

  /** Nothing rests for what is less urgent: a payee who wants a link keeps no account from being read, and neither keeps money back. */
  async heard(rail: string, call: string, { afterSeconds, detail }: NotNow): Promise<void> {
    const wanted = Number.isFinite(afterSeconds) ? afterSeconds : DEFAULT_REST_SECONDS;
    const seconds = Math.min(Math.max(wanted, 1), LONGEST_REST_SECONDS);
    const until = performance.now() + seconds * 1000;
    if (until <= this.restsUntil(rail, call)) return;
    this.leftAlone.set(rail, (this.leftAlone.get(rail) ?? NO_RESTS).with(kindOf(call), until));
    if (kindOf(call) !== MONEY) return;
    this.again.set(rail, until);
    // Without the database this process at least leaves it alone.
    await onBehalfOfAll(() => this.lanes.pause(rail, seconds, legible(detail))).catch(({ message }: Error) =>
      log.warn({ event: 'rail.not_paused', rail }, message),
    );
  }

  /** As long as calls of this kind, or of a more urgent one. */
  private restsUntil(rail: string, call: string): number {
    return Math.max(...(this.leftAlone.get(rail) ?? NO_RESTS).slice(0, kindOf(call) + 1));
  }
}

export const notNow = (afterSeconds: number, detail: string): NotNow => ({ kind: 'not_now', afterSeconds, detail });
