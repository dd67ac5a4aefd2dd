import { setLogLevel } from '#libs/telemetry';
import { VersionGate } from './version-gate';

describe('VersionGate', () => {
  let gate: VersionGate;
  const told: string[] = [];
  beforeEach(() => {
    setLogLevel('silent');
    told.splice(0);
    gate = new VersionGate();
    gate.onChange((shut) => told.push(shut ? 'shut' : 'open'));
    gate.onResting((resting) => told.push(resting ? 'rests' : 'works'));
  });

  test('is open at first, and tells of changes only', () => {
    gate.set(false);
    expect([gate.isShut, told]).toEqual([false, []]);
    gate.set(true);
    gate.set(true);
    expect([gate.isShut, told]).toEqual([true, ['shut', 'rests']]);
    gate.set(false);
    expect(told).toEqual(['shut', 'rests', 'open', 'works']);
  });

  test('rests once everything that was under way is done', () => {
    const [first, second] = [gate.enter(), gate.enter()];
    gate.set(true);
    first();
    expect(told).toEqual(['shut']);
    second();
    expect(told).toEqual(['shut', 'rests']);
  });

  test('what ends while it is open is no news', () => {
    gate.enter()();
    expect(told).toEqual([]);
  });
});
