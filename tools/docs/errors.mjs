// docs/errors.md: every error code with its status and what a caller does about it.
import { gateway, lib } from './compiled.mjs';
import { code, page, table } from './markdown.mjs';

export function errorsPage() {
  const { ERROR_STATUS, ROW_ERRORS } = lib('domain');
  const { ERROR_ADVICE } = gateway('api-reference.errors');
  return page(
    'Error codes',
    'libs/domain/src/errors.ts and apps/gateway/src/api-reference.errors.ts',
    `An error is ${code('{ "error": code, "message"?, "details"? }')}. Branch on ${code('error')} only: the message may change
     at any time. ${code('details.fields')} says what is wrong where, ${code('details.indices')} which rows collide. Quote
     the ${code('x-request-id')} of the answer when you ask about it.`,
    `The reference at ${code('/docs')} says which route answers which of them.`,
    `A row of a batch or of a push is refused by itself, while the others go on: its ${code('error')} is one of
     ${ROW_ERRORS.map(code).join(', ')}, and its ${code('message')} says what to correct. Send the row again under the same key.`,
    table(
      ['Status', 'Code', 'What to do'],
      Object.entries(ERROR_STATUS).map(([name, status]) => [status, code(name), ERROR_ADVICE[name]]),
    ),
  );
}
