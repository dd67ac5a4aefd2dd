import { Silence } from './silence';

describe('silence', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const asked = () => {
    let answer: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => (answer = resolve));
    return { promise, answer };
  };
  const settled = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

  test('ends the connection so long after the last answer, however much was asked behind it', async () => {
    const end = jest.fn();
    const silence = new Silence(1_000, end);
    const [first, second, third] = [asked(), asked(), asked()];
    for (const { promise } of [first, second, third]) void silence.during(promise);
    await jest.advanceTimersByTimeAsync(900);
    first.answer();
    await jest.advanceTimersByTimeAsync(900);
    second.answer();
    await jest.advanceTimersByTimeAsync(999);
    expect(end).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(end).toHaveBeenCalledTimes(1);
  });

  test('is none while nothing is asked, and begins anew with the next question', async () => {
    const end = jest.fn();
    const silence = new Silence(1_000, end);
    const [first, second] = [asked(), asked()];
    void silence.during(first.promise);
    first.answer();
    await settled();
    await jest.advanceTimersByTimeAsync(10_000);
    void silence.during(second.promise);
    await jest.advanceTimersByTimeAsync(999);
    expect(end).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(end).toHaveBeenCalledTimes(1);
  });

  test('a question that fails was answered', async () => {
    const end = jest.fn();
    const silence = new Silence(1_000, end);
    await expect(silence.during(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(end).not.toHaveBeenCalled();
  });
});
