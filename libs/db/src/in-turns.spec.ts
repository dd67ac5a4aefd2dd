import { InTurns, type Turn } from './in-turns';

describe('what clients have, looked at in turns', () => {
  const ALL: Record<string, string[]> = { large: ['a', 'b', 'c'], small: ['d'] };
  /** Two at a time, as the statements do it. */
  const turnsBehind = async (last: ReadonlyMap<string, string>): Promise<Turn[]> =>
    Object.entries(ALL).map(([clientId, ids]) => {
      const after = last.get(clientId) ?? '';
      return { clientId, after, until: ids.filter((id) => id > after)[1] ?? null };
    });
  const find = async ({ clientId, after, until }: Turn): Promise<string[]> =>
    (ALL[clientId] ?? []).filter((id) => id > after && (until === null || id <= until));

  it('comes round, one of each client first, and begins anew after the end', async () => {
    const turns = new InTurns();
    const looks: string[][] = [];
    for (let look = 0; look < 3; look += 1) looks.push(await turns.look(turnsBehind, find));
    expect(looks).toEqual([
      ['a', 'd', 'b'],
      ['c', 'd'],
      ['a', 'd', 'b'],
    ]);
  });
});
