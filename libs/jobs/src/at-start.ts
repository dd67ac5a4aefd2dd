import { SetMetadata } from '@nestjs/common';

export const AT_START = Symbol('AtStart');

/**
 * Marks a schedule that also runs once when its process has started: what nobody else would miss must not wait for a first tick, which a
 * process that is started again and again never comes to. What only tidies can wait.
 */
export const AtStart = (): MethodDecorator => SetMetadata(AT_START, true);
