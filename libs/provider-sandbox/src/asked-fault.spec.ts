/** What somebody asks a simulated provider for is refused where it could mean something else than they thought. */
import { askedFault } from './asked-fault';

it.each<[string, Record<string, unknown>]>([
  ['an effect alone', { effect: 'cut_after' }],
  ['a call, times and seconds', { effect: 'slow', match: { method: 'POST', path: '/v1' }, times: 3, seconds: 0.5 }],
  ['an answer', { effect: 'answer', answer: { status: 422, body: { name: 'NO' } } }],
  ['other words', { effect: 'reworded', words: { status: 'PAUSED' } }],
])('%s is taken as it is', (_, given) => {
  expect(askedFault(given)).toEqual(given);
});

it.each<[string, Record<string, unknown>, RegExp]>([
  ['no effect', {}, /^Give 'effect', one of cut_before, /],
  ['another effect', { effect: 'cut' }, /^Give 'effect', one of /],
  ['a misspelt field, which would strike every call', { effect: 'slow', matches: {} }, /There is no 'matches', only /],
  ['a misspelt match', { effect: 'slow', match: { paths: '/v1' } }, /There is no 'match\.paths', only method, path/],
  ['a match that is none', { effect: 'slow', match: 5 }, /'match' is an object/],
  ['a path that is no text', { effect: 'slow', match: { path: 5 } }, /'match\.path' is a text/],
  ['times that are no number', { effect: 'slow', times: 'x' }, /'times' is a whole number above 0/],
  ['no time at all', { effect: 'slow', times: 0 }, /'times' is a whole number above 0/],
  ['more seconds than a timer holds', { effect: 'slow', seconds: 1e12 }, /'seconds' is a number from 0 to/],
  ['an answer that is not said', { effect: 'answer' }, /'answer' is \{status, body\}/],
  ['a status that no answer has', { effect: 'answer', answer: { status: 99 } }, /with a status from 200 to 599/],
  ['other words that are not said', { effect: 'reworded' }, /'words' is an object/],
  ['a word that is no text', { effect: 'reworded', words: { status: 5 } }, /'words' is an object: a text for each/],
])('refuses %s', (_, given, complaint) => {
  expect(() => askedFault(given)).toThrow(complaint);
});
