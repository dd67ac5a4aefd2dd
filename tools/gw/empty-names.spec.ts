/** A shell variable that is not set is an empty word: it names nobody, and must not mean everybody. */
import { answers, asked, gw, ID, standIn } from './testing/stand-in';

standIn();

describe('an empty word where a client is named', () => {
  beforeEach(() => {
    answers['POST /payouts/release'] = { data: [], nextCursor: null };
    answers['GET /payouts'] = { data: [], nextCursor: null };
  });

  test('releases nothing of everybody', async () => {
    const { code } = await gw('payouts', 'release-held', '--reason', 'not_payable', '--client', '', '--yes');
    expect(asked.map(({ call }) => call)).not.toContain('POST /payouts/release');
    expect(code).toBe(2);
  });

  test('while one that names somebody goes along', async () => {
    await gw('payouts', 'release-held', '--reason', 'not_payable', '--client', ID, '--yes');
    expect(asked.at(-1)).toMatchObject({ call: 'POST /payouts/release' });
  });

  test.each([
    [['payouts', 'release-held', '--reason', 'not_payable', '--client', '', '--yes'], '--client'],
    [['payouts', 'release-held', '--reason', 'not_payable', '--client=', '--yes'], '--client'],
    [['payouts', 'list', '--payee', ' '], '--payee'],
    [['payouts', 'list', '--from', ''], '--from'],
    [['clients', 'set', ID, '--rails', ''], '--rails'],
    [['clients', 'set', ID, '--brand', ''], '--brand'],
  ])('is refused, with what to do: %j', async (words, flag) => {
    const { code, err } = await gw(...words);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toMatch(new RegExp(`${flag} is given an empty value: say <.+>, or leave it out`));
  });

  test('is refused where a word without a flag is meant as well', async () => {
    const { code, err } = await gw('clients', 'show', '');
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain('One of the words is empty');
  });
});
