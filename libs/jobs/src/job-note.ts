/** Why a job comes back, in words for operators: whoever does a part of it knows. It is kept with the job while it waits. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Note {
  text: string | null;
}

const notes = new AsyncLocalStorage<Note>();

export async function withNote<T>(work: () => Promise<T>): Promise<{ outcome: T; note: string | null }> {
  const note: Note = { text: null };
  const outcome = await notes.run(note, work);
  return { outcome, note: note.text };
}

/** The last word counts; null: nothing is in the way any more. Whoever does no job says it to nobody. */
export function noteOnJob(text: string | null): void {
  const note = notes.getStore();
  if (note) note.text = text;
}
