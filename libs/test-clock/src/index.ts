export { TestClockModule } from './test-clock.module';
export { ClearClient, type Cleared } from './use-cases/clear-client';
