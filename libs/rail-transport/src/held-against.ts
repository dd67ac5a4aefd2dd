/** Where money goes, and what became of it, is taken from answers: one about something else than was asked for is none. */
export function heldAgainst<Found, Said extends { kind: string }>(
  answer: Said | { kind: 'done'; found: Found },
  isIt: (found: Found) => boolean,
): Said | { kind: 'done'; found: Found } | { kind: 'unclear'; detail: string } {
  if (!isDone(answer) || isIt(answer.found)) return answer;
  return { kind: 'unclear', detail: 'the answer is about another one than was asked for' };
}

const isDone = <Found>(answer: { kind: string }): answer is { kind: 'done'; found: Found } => answer.kind === 'done';
