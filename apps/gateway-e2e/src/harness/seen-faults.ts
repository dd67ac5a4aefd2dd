/**
 * What came of each fault on each call that moves money, as a run saw it: docs/faults.md is printed from that, and each run is held
 * against the page, so that the page says nothing that was not seen.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './api';
import { ROOT } from './root';

/** `npm run docs` prints the page from the files in here. */
const FOLDER = '.tmp/faults';
const PAGE = 'docs/faults.md';

interface Came {
  /** As its caller reads it in the end, with the steps on its way there. */
  payout: Json;
  /** How often the money left, by the provider's books. */
  movements: number;
  /** Of a call that brings money back: how often it did. */
  isBack?: boolean;
}

export class SeenFaults {
  private readonly rows: { call: string; fault: string; came: string }[] = [];

  constructor(private readonly rail: string) {}

  note(call: string, fault: string, came: Came): void {
    this.noteAll(call, [fault], [came]);
  }

  /** Of faults that were met at once, nobody knows by which payout. */
  noteAll(call: string, faults: readonly string[], came: Came[]): void {
    const words = [...new Set(came.map(wordsOf))].sort().join(' or ');
    for (const fault of faults) this.rows.push({ call, fault, came: words });
  }

  /** In the page's words: its column is this call of this rail, its line this fault. */
  expectPrinted(): void {
    mkdirSync(join(ROOT, FOLDER), { recursive: true });
    writeFileSync(join(ROOT, FOLDER, `${this.rail}.json`), `${JSON.stringify(this.rows, null, 2)}\n`);
    const printed = printedOf(this.rail);
    const seen = this.rows.map(({ call, fault, came }) => `${call}: ${fault}: ${came}`);
    // If they differ: `npm run docs` prints what was seen.
    expect(printed.sort()).toEqual(seen.sort());
  }
}

function wordsOf({ payout: { status, events }, movements, isBack = false }: Came): string {
  const wasCalledFailed = (events as Json[]).some(({ toStatus }) => toStatus === 'failed');
  const often = movements === 1 ? 'once' : `${movements} times`;
  return `${status}, ${isBack ? 'back ' : ''}${often}${wasCalledFailed ? ', called failed before' : ''}`;
}

function printedOf(rail: string): string[] {
  const [head = [], , ...lines] = readFileSync(join(ROOT, PAGE), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return head.flatMap((title, column) => {
    const [, of, call] = /^`(\w+)` (.+)$/.exec(title) ?? [];
    if (of !== rail) return [];
    return lines.flatMap((cells) =>
      cells[column] ? [`${call}: ${cells[0]?.replaceAll('`', '')}: ${cells[column]}`] : [],
    );
  });
}
