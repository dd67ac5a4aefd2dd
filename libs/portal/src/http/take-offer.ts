/** A payment whose payee is led to where its rail lets them take it, once they may have it. */
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { GatewayRequest } from '#libs/http-kit';
import { takePage } from '../pages/destination';
import type { ClaimVisit } from '../use-cases/visit-claim';
import type { Visitor } from '../use-cases/visit-portal';
import { CheckGate, type Passing } from './check-gate';
import { OwnPayment } from './own-payment';
import { sendPage } from './page-answer';
import { fromOf, WalletDoor } from './wallet-door';

@Injectable()
export class TakeOffer {
  constructor(
    private readonly door: WalletDoor,
    private readonly payments: OwnPayment,
    private readonly gate: CheckGate,
  ) {}

  /** null: its payee says where it goes, or it waits for nobody. */
  async of(visitor: Visitor, id: string): Promise<ClaimVisit | null> {
    const visit = await this.payments.of(visitor, id);
    return visit.isLed ? visit : null;
  }

  async offer(request: GatewayRequest, response: Response, visit: ClaimVisit): Promise<void> {
    if (!(await this.lets(request, response, visit))) return;
    const shown = { payout: visit.payout, from: fromOf(visit), form: this.door.formOf(request) };
    sendPage(request, response, (frame) => takePage({ ...frame, ...shown }), { reader: visit });
  }

  /** A gift that was handed over is theirs, whatever check is asked of them since. Nobody is led to what is on hold, not even there again. */
  lets(request: GatewayRequest, response: Response, visit: ClaimVisit, passing?: Passing): Promise<boolean> {
    const isTheirs = visit.payout.status === 'paid';
    return isTheirs
      ? this.gate.letsNow(request, response, visit, passing)
      : this.gate.lets(request, response, visit, passing);
  }
}
