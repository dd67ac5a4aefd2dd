/** The clock of the process, for whoever needs to know the time. A spec gives another in its place. */
import { Global, Module } from '@nestjs/common';
import { systemClock } from '#libs/domain';
import { CLOCK } from './clock.provider';

@Global()
@Module({ providers: [{ provide: CLOCK, useValue: systemClock }], exports: [CLOCK] })
export class ClockModule {}
