import { pauseBefore } from './repeats';

const NOON_AND_20 = Date.parse('2026-01-05T12:00:20.000Z');
const clock = { now: () => new Date(NOON_AND_20) };
const pauses = { firstPauseMs: 100, longestPauseMs: 65_000 };
const soonest = { clock, chance: () => 0 };
const latest = { clock, chance: () => 1 };

describe('pauseBefore', () => {
  it('doubles, within half of itself, and not for ever', () => {
    const after = (turn: number, edge = soonest) => pauseBefore({ turn }, pauses, edge);
    expect([1, 2, 3].map((turn) => after(turn))).toEqual([50, 100, 200]);
    expect([1, 2, 3].map((turn) => after(turn, latest))).toEqual([100, 200, 400]);
    expect(after(30)).toBe(65_000);
  });

  it('is what Retry-After says: seconds, or a date', () => {
    const after = (text: string) =>
      pauseBefore({ turn: 1, status: 503, headers: new Headers({ 'retry-after': text }) }, pauses, soonest);
    expect(after('3')).toBe(3_000);
    expect(after('Mon, 05 Jan 2026 12:00:25 GMT')).toBe(5_000);
    expect(after('Mon, 05 Jan 2026 11:00:00 GMT')).toBe(0);
    expect(after('soon')).toBe(50);
    expect(after('66')).toBeNull();
  });

  it('is, after 429, what is left of the minute: as it says, by its clock, or else by ours', () => {
    const after = (headers: Record<string, string>, edge = soonest) =>
      pauseBefore({ turn: 1, status: 429, headers: new Headers(headers) }, pauses, edge);
    expect(after({ 'ratelimit-reset': '7', date: 'Mon, 05 Jan 2026 12:00:50 GMT' })).toBe(7_000);
    expect(after({ date: 'Mon, 05 Jan 2026 12:00:50 GMT' })).toBe(10_000);
    expect(after({})).toBe(40_000);
    expect(after({ 'retry-after': '1' })).toBe(40_000);
    expect(after({ 'ratelimit-reset': '7' }, latest)).toBe(7_200);
  });
});
