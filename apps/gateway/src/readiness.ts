/** Whether this process can do its work: the database answers and is of this version, the queue works, the clocks agree. */
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { InjectClock } from '#libs/auth';
import { CONFIG, type Config } from '#libs/config';
import { Db, MIGRATIONS } from '#libs/db';
import { JobQueue } from '#libs/jobs';

const MAX_SKEW_SECONDS = 5;

export interface ReadinessReport {
  status: 'ready' | 'not_ready';
  /** Each check: 'ok', or what is wrong. */
  checks: { database: string; migrations: string; queue: string; clock: string };
}

@Injectable()
export class Readiness {
  constructor(
    private readonly db: Db,
    private readonly queue: JobQueue,
    @Inject(CONFIG) private readonly config: Config,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async report(): Promise<ReadinessReport> {
    const checks = { ...(await this.databaseChecks()), queue: this.queueCheck() };
    const ready = [checks.database, checks.migrations, checks.clock].every((check) => check === 'ok');
    return { status: ready ? 'ready' : 'not_ready', checks };
  }

  private async databaseChecks(): Promise<{ database: string; migrations: string; clock: string }> {
    try {
      const row = await this.db.row<{ applied: number; now: Date }>(
        'SELECT count(*)::int AS applied, clock_timestamp() AS now FROM migrations',
      );
      const skew = Math.abs((row?.now.getTime() ?? 0) - this.clock.now().getTime()) / 1000;
      return {
        database: 'ok',
        migrations: (row?.applied ?? 0) >= MIGRATIONS.length ? 'ok' : `${row?.applied} of ${MIGRATIONS.length} applied`,
        clock: skew <= MAX_SKEW_SECONDS ? 'ok' : `${Math.round(skew)} s away from the database's clock`,
      };
    } catch (error) {
      return { database: `does not answer: ${(error as Error).message}`, migrations: 'unknown', clock: 'unknown' };
    }
  }

  /** A queue in trouble slows work down and stops nothing, so it is told and does not make the process unready. */
  private queueCheck(): string {
    return this.config.role === 'api' ? 'ok' : (this.queue.trouble() ?? 'ok');
  }
}
