/**
 * Whether this process can do its work: the database answers, can be written to and is of this version, the queue works,
 * the clocks agree. It says what was found a moment ago, so that nobody makes the service slow by asking.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { InjectClock } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';
import { type DatabaseState, DatabaseWatch, MIGRATIONS, type TroubleKind } from '#libs/db';
import { JobQueue } from '#libs/jobs';

const MAX_SKEW_SECONDS = 5;

const OUTDATED = 'belongs to a newer version: stop this process';

/** Everybody may read these: they name no host, and nothing that the database said. */
const TROUBLE: Record<TroubleKind, string> = {
  away: 'does not answer',
  refuses: 'takes no connection, or has no room to work',
  busy: 'all connections of this process are in use',
  timeout: 'did not finish a statement in time',
  gone: 'has rows no more that were there a moment ago',
  read_only: 'is read-only',
  full: 'has no space left',
  unmarked: 'may have forgotten payments, and is being marked',
  unconfirmed: 'waits for a standby that confirms nothing',
  outdated: OUTDATED,
};

export interface ReadinessReport {
  status: 'ready' | 'not_ready';
  /** Each check: 'ok', or what is wrong. */
  checks: { database: string; migrations: string; queue: string; clock: string };
}

@Injectable()
export class Readiness {
  constructor(
    private readonly watch: DatabaseWatch,
    private readonly queue: JobQueue,
    @Inject(CONFIG) private readonly config: Config,
    @InjectClock() private readonly clock: Clock,
  ) {}

  report(): ReadinessReport {
    const state = this.watch.now();
    const checks = {
      database: state.trouble ? TROUBLE[state.trouble] : 'ok',
      migrations: migrationsCheck(state),
      clock: this.clockCheck(state),
      queue: this.queueCheck(),
    };
    const ready = [checks.database, checks.migrations, checks.clock].every((check) => check === 'ok');
    return { status: ready ? 'ready' : 'not_ready', checks };
  }

  private clockCheck({ clockOffsetMs }: DatabaseState): string {
    if (clockOffsetMs === null) return 'unknown';
    const skew = Math.abs(clockOffsetMs + performance.now() - this.clock.now().getTime()) / 1000;
    return skew <= MAX_SKEW_SECONDS ? 'ok' : `${Math.round(skew)} s away from the database's clock`;
  }

  /** A queue in trouble slows work down and stops nothing, so it is told and does not make the process unready. */
  private queueCheck(): string {
    return this.config.role === 'api' ? 'ok' : (this.queue.trouble() ?? 'ok');
  }
}

function migrationsCheck({ missingMigrations, outdated }: DatabaseState): string {
  if (outdated) return OUTDATED;
  if (missingMigrations === null) return 'unknown';
  return missingMigrations === 0 ? 'ok' : `${missingMigrations} of ${MIGRATIONS.length} are missing`;
}
