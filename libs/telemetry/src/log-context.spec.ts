import { inLogContext, logContext } from './log-context';

describe('the context of a line of the log', () => {
  test('goes along with the work, and with what it starts, and with nothing else', async () => {
    const seen = (): Promise<object> => Promise.resolve().then(() => logContext());
    const [one, other] = await Promise.all([
      inLogContext({ requestId: 'one' }, seen),
      inLogContext({ job: 'payout.drive other' }, seen),
    ]);
    expect([one, other, logContext()]).toEqual([{ requestId: 'one' }, { job: 'payout.drive other' }, {}]);
  });

  test('cannot be changed by a line', () => {
    inLogContext({ requestId: 'one' }, () => {
      Object.assign(logContext(), { requestId: 'changed' });
      expect(logContext()).toEqual({ requestId: 'one' });
    });
  });
});
