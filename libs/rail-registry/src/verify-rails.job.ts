/** Asks each rail whose credentials it has: at start, and every minute, so that a lane that was closed for them opens by itself. */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { verifies } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { RailCaller } from './rail-caller';
import { Rails } from './rails';

@Injectable()
export class VerifyRailsJob implements OnApplicationBootstrap {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly runner: SingleRunner,
  ) {}

  /** Nobody waits for it: what is sent before is verified first anyway. */
  onApplicationBootstrap(): void {
    void this.all((rail) => this.caller.isVerified(rail));
  }

  @Interval(60_000)
  async onSchedule(): Promise<void> {
    await this.all((rail) => this.runner.run(`verify ${rail}`, () => this.caller.isVerified(rail)));
  }

  private async all(verify: (rail: string) => Promise<unknown>): Promise<void> {
    const names = this.rails.all().flatMap(({ definition, rail }) => (rail && verifies(rail) ? definition.name : []));
    await Promise.all(
      names.map((rail) =>
        verify(rail).catch(({ message }: Error) => log.warn({ event: 'rail.not_verified', rail }, message)),
      ),
    );
  }
}
