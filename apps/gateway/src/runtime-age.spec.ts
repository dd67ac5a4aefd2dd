import { runtimeNotice } from './runtime-age';

describe('the age of the runtime', () => {
  test.each([
    ['20.20.0', '2026-04-30T23:59:59Z', null],
    [
      '20.20.0',
      '2026-05-01T00:00:00Z',
      expect.stringMatching(/^Node 20\.20\.0, .* since 2026-04-30: run it on Node 24$/),
    ],
    ['24.1.0', '2026-11-21T00:00:00Z', null],
    ['26.0.0', '2032-01-01T00:00:00Z', null],
  ])('Node %s on %s', (version, now, notice) => {
    expect(runtimeNotice(version, new Date(now))).toEqual(notice);
  });
});
