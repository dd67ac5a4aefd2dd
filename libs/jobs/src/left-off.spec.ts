/** A job that does a portion at a time goes on where it left off, unless it was asked for again meanwhile. */
import { LeftOff } from './left-off';

const job = { entityId: 'e', version: 1, createdAt: new Date(1_000) };

describe('where a job left off', () => {
  test('is nowhere at first, and none of another', () => {
    const places = new LeftOff<number>();
    expect(places.of(job)).toBeNull();
    places.keep(job, 7);
    expect([places.of(job), places.of({ ...job, entityId: 'f' })]).toEqual([7, null]);
  });

  test('counts no more once it is through, or was asked for again', () => {
    const places = new LeftOff<number>();
    places.keep(job, 7);
    expect(places.of({ ...job, version: 2 })).toBeNull();
    expect(places.of({ ...job, createdAt: new Date(2_000) })).toBeNull();
    places.keep(job, null);
    expect(places.of(job)).toBeNull();
  });
});
