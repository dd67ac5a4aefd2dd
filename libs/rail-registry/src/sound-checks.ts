/** A rail's answers about a payee, made fit to decide by and to be shown: only a clear yes lets their money go on. */
import type { PayeeCheckAnswer } from '#libs/rail-kit';

const LONGEST_REASON = 300;
const KINDS: readonly PayeeCheckAnswer['kind'][] = ['cleared', 'to_do', 'checking', 'rejected', 'unknown', 'not_now'];

export function soundCheck(answer: PayeeCheckAnswer): PayeeCheckAnswer {
  const { kind } = answer;
  if (!KINDS.includes(kind))
    return { kind: 'unknown', detail: `the rail says of a payee '${String(kind).slice(0, 40)}'` };
  if (kind !== 'rejected') return answer;
  const { reason } = answer;
  if (typeof reason !== 'string') return { kind: 'rejected', reason: '' };
  // By characters and not by halves of them.
  return { kind: 'rejected', reason: [...reason.trim()].slice(0, LONGEST_REASON).join('') };
}
