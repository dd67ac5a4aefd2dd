import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { log } from '#libs/telemetry';
import { AtStart } from './at-start';
import { FirstRuns } from './first-runs';
import { MarkedMethods } from './marked-methods';

@Injectable()
class Schedules {
  readonly ran: string[] = [];

  @AtStart()
  async breaks(): Promise<void> {
    this.ran.push('breaks');
    throw new Error('it broke');
  }

  @AtStart()
  breaksAtOnce(): void {
    this.ran.push('breaks at once');
    throw new Error('it broke at once');
  }

  @AtStart()
  async works(): Promise<void> {
    this.ran.push('works');
  }

  async tidies(): Promise<void> {
    this.ran.push('tidies');
  }
}

test('each marked schedule runs once, on its own provider, and one that fails keeps no other and is told of', async () => {
  const failures = jest.spyOn(log, 'error').mockImplementation(() => undefined);
  const app = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [Schedules, MarkedMethods, FirstRuns],
  }).compile();
  await app.get(FirstRuns).run();
  expect(app.get(Schedules).ran.sort()).toEqual(['breaks', 'breaks at once', 'works']);
  expect(failures.mock.calls.map(([, message]) => message).sort()).toEqual(['it broke', 'it broke at once']);
  failures.mockRestore();
  await app.close();
});
