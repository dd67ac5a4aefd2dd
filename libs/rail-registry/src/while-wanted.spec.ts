/** A call that moves money is called off once its payee, or its client, is stopped, if nothing left before. */
import { systemClock } from '#libs/domain';
import { inTime } from './in-time';
import { whileWanted } from './while-wanted';

describe('a call, while it is wanted', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A rail that says what it has when it is told to, and whether it was told to stop. */
  function called(isStopped?: () => Promise<boolean>) {
    let answers: (said: 'sent') => void = () => undefined;
    const told: string[] = [];
    let looksAtItsSignal = (): boolean => false;
    const call = inTime(20_000, (signal, callOff) => {
      signal.addEventListener('abort', () => told.push('stop'));
      looksAtItsSignal = () => signal.aborted;
      return whileWanted(isStopped, { signal, callOff }, () => new Promise<'sent'>((resolve) => (answers = resolve)));
    });
    return { call, told, answers: () => answers('sent'), isToldToStop: () => looksAtItsSignal() };
  }

  it('is looked at each second, and called off when it is not', async () => {
    let looks = 0;
    const { call, told } = called(async () => (looks += 1) === 3);
    await jest.advanceTimersByTimeAsync(2_900);
    expect([looks, told]).toEqual([2, []]);
    await jest.advanceTimersByTimeAsync(100);
    expect([looks, told]).toEqual([3, ['stop']]);
    expect(await call).toMatchObject({ kind: 'unknown', detail: expect.stringContaining('called off') as string });
  });

  it('goes on if nobody can say, and is looked at again', async () => {
    let looks = 0;
    const { call, told, answers } = called(async () => {
      looks += 1;
      throw new Error('no database');
    });
    await jest.advanceTimersByTimeAsync(2_000);
    answers();
    expect([await call, looks, told]).toEqual(['sent', 2, []]);
  });

  /** No timer runs meanwhile. */
  const standsStill = (): void => void jest.setSystemTime(systemClock.now().getTime() + 8_000);

  it('sends nothing more once its process stood still, until somebody looked again', async () => {
    const frozen = called(() => new Promise(() => undefined));
    expect(frozen.isToldToStop()).toBe(false);
    standsStill();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(frozen.isToldToStop()).toBe(true);
    expect(await frozen.call).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('stood still') as string,
    });
    const looked = called(async () => false);
    standsStill();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(looked.isToldToStop()).toBe(false);
    looked.answers();
    expect(await looked.call).toBe('sent');
  });

  /** A look that was put before the process stood still says nothing of whoever was stopped meanwhile, though it is read after it. */
  it('sends nothing more once its process stood still in the middle of a look', async () => {
    let says: (isStopped: boolean) => void = () => undefined;
    const frozen = called(() => new Promise((resolve) => (says = resolve)));
    await jest.advanceTimersByTimeAsync(1_000);
    standsStill();
    says(false); // it lay in the socket
    await jest.advanceTimersByTimeAsync(0);
    expect(frozen.isToldToStop()).toBe(true);
  });

  /** As a call that follows what has left: nobody looks, so nobody says later that it is wanted, and its own timer, which runs again, must not. */
  it('sends nothing more once its process stood still, if nobody stops it either', async () => {
    const goesOn = called();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(goesOn.isToldToStop()).toBe(false);
    standsStill();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(goesOn.isToldToStop()).toBe(true);
    expect(await goesOn.call).toMatchObject({ detail: expect.stringContaining('stood still') as string });
  });

  it('is heard, if it was sent before its process stood still', async () => {
    const { call, answers } = called(() => new Promise(() => undefined));
    standsStill();
    answers();
    expect(await call).toBe('sent');
  });

  /** Its lease may be over by then, and another process may have been told of a block. */
  it.each([
    ['says nothing', () => new Promise<boolean>(() => undefined)],
    ['cannot be reached', () => Promise.reject(new Error('no database'))],
  ])('sends nothing more once its database %s for three seconds', async (_, isStopped) => {
    const unseen = called(isStopped);
    await jest.advanceTimersByTimeAsync(2_900);
    expect(unseen.isToldToStop()).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    expect(unseen.isToldToStop()).toBe(true);
    expect(await unseen.call).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('database') as string,
    });
  });

  it('goes on once somebody could look again', async () => {
    let looks = 0;
    const { isToldToStop } = called(() =>
      (looks += 1) < 4 ? Promise.reject(new Error('no database')) : Promise.resolve(false),
    );
    await jest.advanceTimersByTimeAsync(4_000);
    expect([looks, isToldToStop()]).toEqual([4, false]);
  });

  it('goes on for as long as it takes beside looks that find it wanted', async () => {
    const { isToldToStop } = called(async () => false);
    await jest.advanceTimersByTimeAsync(15_000);
    expect(isToldToStop()).toBe(false);
  });

  it('is looked at no more once it was answered', async () => {
    let looks = 0;
    const { call, answers } = called(async () => (looks += 1) > 100);
    answers();
    expect(await call).toBe('sent');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(looks).toBe(0);
  });

  it('is looked at no more once it was called off, or its time is over, whatever its rail does', async () => {
    let looks = 0;
    const off = called(async () => (looks += 1) > 0);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([looks, (await off.call) as unknown]).toEqual([1, expect.objectContaining({ kind: 'unknown' })]);
    const late = called(async () => (looks += 1) < 0);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([looks, (await late.call) as unknown]).toEqual([20, expect.objectContaining({ kind: 'unknown' })]);
  });

  it('waits for one look before the next', async () => {
    let looks = 0;
    const { answers, call } = called(() => {
      looks += 1;
      return new Promise(() => undefined);
    });
    await jest.advanceTimersByTimeAsync(5_000);
    answers();
    await call;
    expect(looks).toBe(1);
  });
});
