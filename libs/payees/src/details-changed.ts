/** The mail about a change of who a payee is: to the old address and to the new one, for whoever did not ask for it. */
import type { Client } from '#libs/clients';
import { businessName, letterToPayee, type NewMail, personName } from '#libs/mail';
import { languageOf, wordsIn } from '#libs/payee-words';
import { coolsDown } from './use-cases/cool-down';
import type { Payee } from './payee';

/** None if nobody has an address. It holds no link, and nothing of what was changed. */
export function mailsAboutChange(client: Client, before: Payee, after: Payee): NewMail[] {
  const { language, direction, say, moment } = wordsIn(languageOf([after.locale, client.locale]));
  const from = businessName(client.brand.name ?? client.name);
  const note = say('mail.changed.note', { from });
  // Where nobody has to cool down, nothing keeps their money from going elsewhere. An earlier cool-down may end any moment.
  const isCooling = coolsDown(client) && before.coolingUntil?.getTime() !== after.coolingUntil?.getTime();
  const until = isCooling && after.coolingUntil ? moment(after.coolingUntil) : null;
  const addresses = [...new Set([before.email, after.email])].filter((address) => address !== null);
  return addresses.map((to, place) => {
    // The change may be to the name, so each address is greeted by the name it was known with.
    const name = personName(to === before.email ? before.name : after.name);
    const letter = letterToPayee({
      ...{ language, direction, button: null, brand: client.brand },
      subject: say('mail.changed.subject', { from }),
      greeting: name ? say('mail.hello', { name }) : say('mail.hello.nobody'),
      intro: say('mail.changed.text', { from }),
      note: until ? `${note} ${say('mail.changed.until', { until })}` : note,
    });
    const cause = `${after.id} ${changedAt(after)} ${place}`;
    return { ...letter, clientId: client.id, kind: 'details_changed', cause, to };
  });
}

/** Of either kind of change the last one. */
const changedAt = ({ identityChangedAt, emailChangedAt }: Payee): string =>
  new Date(Math.max(identityChangedAt?.getTime() ?? 0, emailChangedAt?.getTime() ?? 0)).toISOString();
