export { ClockModule } from './clock.module';
export { CLOCK, InjectClock } from './clock.provider';
