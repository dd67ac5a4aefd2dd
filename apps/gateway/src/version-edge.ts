/** A process that is too old for the database answers nothing but what its health is. */
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { VersionGate } from '#libs/db';
import { Refusal } from '#libs/domain';

const STILL_ANSWERED = /^\/(?:health\/|metrics(?:\?|$))/;

@Injectable()
export class VersionEdge implements NestMiddleware {
  constructor(private readonly gate: VersionGate) {}

  use(request: Request, response: Response, next: NextFunction): void {
    // Not request.path, which is what is left of it behind the place where this is mounted.
    if (STILL_ANSWERED.test(request.originalUrl)) return next();
    if (!this.gate.isShut) {
      response.once('close', this.gate.enter());
      return next();
    }
    next(
      new Refusal('service_unavailable', 'A newer version is taking over. Send the same request again, signed anew.'),
    );
  }
}
