import { isMadeUpToken } from './made-up';

// Point 16: a sentence is no secret, in whichever encoding. PowerShell and .NET write base64 of UTF-16 (`[Text.Encoding]::Unicode`).
const SENTENCE = 'this is my operator token for prod';

test.each([
  ['base64 of UTF-16', Buffer.from(SENTENCE, 'utf16le').toString('base64')],
  ['hex of UTF-16', Buffer.from(SENTENCE, 'utf16le').toString('hex')],
  ['hex, with 0x before it', `0x${Buffer.from(SENTENCE).toString('hex')}`],
  ['base64, with its name before it', `base64:${Buffer.from(SENTENCE).toString('base64')}`],
])('a sentence in %s is no token', (_, token) => expect(isMadeUpToken(token)).toBe(true));
