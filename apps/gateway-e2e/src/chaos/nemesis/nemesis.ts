/** Does what the plan says to the processes of the run, and strikes at those moments of a call that it waits for. */
import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from '../now';
import type { Moment } from '../provider/control';
import type { Gateway } from '../world/gateways';
import type { World } from '../world/world';
import type { AtMoment, Mischief, Planned } from './plan';

/** Whom a moment never came for is struck no more. */
const LOOKS_OUT_MS = 8_000;

interface Armed extends AtMoment {
  until: number;
}

export class Nemesis {
  private armed: Armed[] = [];
  private under: Promise<void>[] = [];
  private providerIsAway = false;
  private done = false;

  constructor(
    private readonly world: World,
    private readonly plan: Planned[],
    /** Is told whose call was struck: it is their money that is worth asking for again. */
    private readonly struck: (payee: string) => void,
  ) {}

  /** Until the time is over; what it did to anybody is over a little later. */
  async run(seconds: number): Promise<void> {
    const beganAt = nowMs();
    this.world.provider.onMoment = (moment) => this.at(moment);
    for (const { atMs, mischief } of this.plan) {
      await pause(Math.max(0, beganAt + atMs - nowMs()));
      this.start(mischief);
    }
    await pause(Math.max(0, beganAt + seconds * 1_000 - nowMs()));
    this.done = true;
    this.world.provider.onMoment = () => undefined;
    await Promise.all(this.under);
  }

  private start(mischief: Mischief): void {
    this.under.push(
      this.deed(mischief).catch((error: Error) => this.world.chronicle.note('nemesis', `failed: ${error.message}`)),
    );
  }

  private async deed(mischief: Mischief): Promise<void> {
    const { postgres, redis, gateways } = this.world;
    switch (mischief.kind) {
      case 'kill':
        return gateways.kill(this.pick(mischief.which), mischief.downMs, 'at random');
      case 'replace':
        return gateways.replace(this.pick(mischief.which));
      case 'freeze':
        return this.freezeSome(mischief);
      case 'end_sessions':
        return postgres.endSessions(mischief.share, 'at random');
      case 'restart_postgres':
        return postgres.restartAtOnce('at random');
      case 'pause_postgres':
        return postgres.pauseFor(mischief.forMs);
      case 'flush_redis':
        return redis?.flush();
      case 'restart_redis':
        await redis?.kill();
        await pause(mischief.downMs);
        return redis?.restart();
      case 'freeze_provider':
      case 'restart_provider':
        return this.away(mischief);
      case 'at_moment':
        this.armed.push({ ...mischief, until: nowMs() + LOOKS_OUT_MS });
    }
  }

  private async freezeSome({ which, howMany, forMs }: Extract<Mischief, { kind: 'freeze' }>): Promise<void> {
    const { all } = this.world.gateways;
    const first = Math.floor(which * all.length);
    const chosen = Array.from({ length: Math.min(howMany, all.length) }, (_, turn) => all[(first + turn) % all.length]);
    await Promise.all(chosen.map((gateway) => this.freeze(gateway as Gateway, forMs, 'at random')));
  }

  private async freeze(gateway: Gateway, forMs: number, why: string): Promise<void> {
    if (!this.world.gateways.freeze(gateway, why)) return;
    await pause(forMs);
    this.world.gateways.wake(gateway);
  }

  private async away({
    kind,
    forMs,
  }: Extract<Mischief, { kind: 'freeze_provider' | 'restart_provider' }>): Promise<void> {
    const { provider } = this.world;
    if (this.providerIsAway) return;
    this.providerIsAway = true;
    if (kind === 'freeze_provider') provider.freeze();
    else await provider.kill();
    await pause(forMs);
    if (kind === 'freeze_provider') provider.wake();
    else await provider.restart();
    this.providerIsAway = false;
  }

  /** The call waits until this is done, so that it happens right there. */
  private at(moment: Moment): Promise<void> | void {
    this.armed = this.armed.filter(({ until }) => until > nowMs());
    const strike = this.done ? undefined : this.armed.find((armed) => isLike(armed, moment));
    const gateway = this.world.gateways.byPid(moment.caller);
    if (!strike || gateway?.state !== 'up') return;
    this.armed = this.armed.filter((armed) => armed !== strike);
    const { call, stage, code, payee, answer } = moment;
    this.struck(payee);
    const why = `as the provider ${stage === 'received' ? 'received' : `answers '${answer}' to`} its ${call} of ${code}`;
    const struck = this.strike(strike, gateway, why);
    this.under.push(struck);
    // A process stands still or is gone at once; how long for is not to be waited for.
    return strike.strike === 'end_sessions' ? struck : undefined;
  }

  private strike({ strike, forMs }: AtMoment, gateway: Gateway, why: string): Promise<void> {
    switch (strike) {
      case 'freeze':
        return this.freeze(gateway, forMs, why);
      case 'kill':
        return this.world.gateways.kill(gateway, 500, why);
      case 'end_sessions':
        return this.world.postgres.endSessions(1, why);
      case 'restart_postgres':
        this.world.postgres.restartAtOnce(why);
        return Promise.resolve();
    }
  }

  private pick(which: number): Gateway {
    const { all } = this.world.gateways;
    return all[Math.floor(which * all.length)] as Gateway;
  }
}

function isLike({ stage, about }: AtMoment, moment: Moment): boolean {
  if (stage !== moment.stage) return false;
  if (about === 'look_up') return moment.call === 'lookup';
  if (moment.call !== 'submit') return false;
  return about === 'submission' || /^refused (transient|funding)/.test(moment.answer ?? '');
}
