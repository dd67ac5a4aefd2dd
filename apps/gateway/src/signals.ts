/**
 * A process that is still starting has nothing under way, and ends at once when it is asked to. It has to listen for that: as the
 * first process of a container it would go on, because the kernel drops what such a process does not listen to. Imported before all
 * else, since to load the rest takes a second.
 */
type Listener = (signal: NodeJS.Signals, number: number) => void;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** With the code by which a shell tells of a signal. */
let listener: Listener = (_, number) => process.exit(128 + number);

/** From now on this is done about them instead. */
export function onSignals(next: Listener): void {
  listener = next;
}

for (const signal of SIGNALS) process.on(signal, (...asked: Parameters<Listener>) => listener(...asked));
