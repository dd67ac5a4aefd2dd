import type { Client } from '#libs/clients';
import { mailsAboutChange } from './details-changed';
import type { Payee } from './payee';

const CLIENT = { id: 'c', name: 'Brass', brand: {}, locale: null, testMode: false };
const PAYEE = { id: 'p', email: 'ada@example.com', name: 'Ada', locale: null, identityChangedAt: null };

describe('the mail about a change of who a payee is', () => {
  const noteFor = (coolDownSeconds: number | null, testMode = false): string => {
    const client = { ...CLIENT, testMode, coolDownSeconds } as Client;
    const after = { ...PAYEE, name: 'Eve', coolingUntil: new Date('2026-11-26T12:00:00Z') } as Payee;
    return mailsAboutChange(client, PAYEE as Payee, after)[0]?.text ?? '';
  };

  test.each([[null], [3_600]])('says until when nothing goes elsewhere, for a cool-down of %s seconds', (seconds) => {
    expect(noteFor(seconds)).toMatch(/Before November 26, 2026 at 12:00.*UTC nobody can withdraw your money/);
  });

  test('promises nothing where nobody cools down', () => {
    for (const note of [noteFor(0), noteFor(null, true)]) {
      expect(note).toContain('tell Brass at once.');
      expect(note).not.toContain('nobody can');
    }
  });
});
