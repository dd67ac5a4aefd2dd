/** One after the other, also if one fails; that is told once all were tried. */
export async function eachOf(works: (() => Promise<number>)[], signal?: AbortSignal): Promise<number[]> {
  const done: number[] = [];
  const failed: unknown[] = [];
  for (const work of works) {
    if (signal?.aborted) break;
    try {
      done.push(await work());
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw failed[0];
  return done;
}
