import { Inject } from '@nestjs/common';

/** Injection token of the process clock. */
export const CLOCK = Symbol('Clock');
export const InjectClock = (): ParameterDecorator & PropertyDecorator => Inject(CLOCK);
