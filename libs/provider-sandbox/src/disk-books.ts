/** The books of a simulated provider: kept in memory, and in a file as well if it is told where. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface DiskBooks<State> {
  readonly state: State;
  /** After every change, before anybody is told of it. */
  save(): void;
}

/** Whole or not at all: a file that is half written would be worse than none. */
export function diskBooks<State>(empty: State, file: string | null = null): DiskBooks<State> {
  if (file === null) return { state: empty, save: () => undefined };
  mkdirSync(dirname(file), { recursive: true });
  const state = existsSync(file) ? { ...empty, ...(JSON.parse(readFileSync(file, 'utf8')) as State) } : empty;
  return {
    state,
    save: () => {
      writeFileSync(`${file}.new`, JSON.stringify(state));
      renameSync(`${file}.new`, file);
    },
  };
}
