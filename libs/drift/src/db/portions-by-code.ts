/** What one statement takes of a long list: it has 30 seconds, and while its values are written nothing else runs in this process. */
const MOST = 2_000;

/** What is of one code stays in one portion: it is summed, or only one of it counts. */
export function* portionsByCode<One extends { railKey: string }>(all: One[], most = MOST): Generator<One[]> {
  const byCode = new Map<string, One[]>();
  for (const one of all) {
    const ofCode = byCode.get(one.railKey);
    if (ofCode) ofCode.push(one);
    else byCode.set(one.railKey, [one]);
  }
  let portion: One[] = [];
  for (const ofCode of byCode.values()) {
    if (portion.length > 0 && portion.length + ofCode.length > most) {
      yield portion;
      portion = [];
    }
    for (const one of ofCode) portion.push(one);
  }
  if (portion.length > 0) yield portion;
}
