/**
 * After a change of who a payee is, nothing that could redirect their money is possible for a while: a leaked API key must
 * not be enough.
 */
import { Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import { type Client, InjectClock } from '#libs/auth';
import type { Payee } from '../payee';

const DEFAULT_SECONDS = 24 * 60 * 60;

@Injectable()
export class CoolDown {
  constructor(@InjectClock() private readonly clock: Clock) {}

  endFor(client: Client): Date {
    const seconds = client.coolDownSeconds ?? (client.testMode ? 0 : DEFAULT_SECONDS);
    return new Date(this.clock.now().getTime() + seconds * 1000);
  }

  refuseWhileCooling(payee: Payee): void {
    if (!payee.coolingUntil || payee.coolingUntil <= this.clock.now()) return;
    throw new Refusal(
      'payee_cooling_down',
      `The payee's details changed a short while ago. Try again after ${payee.coolingUntil.toISOString()}.`,
    );
  }
}
