/** A call of a rail as the core sees it: what it throws is an outcome that nobody knows, and it has to answer in time. */
import type { Unknown } from '#libs/rail-kit';

const ANSWERS_WITHIN_MS = 8_000;

export async function asTheCoreSeesIt<T extends { kind: string }>(call: () => Promise<T>): Promise<T | Unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateAnswer()), ANSWERS_WITHIN_MS);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    if (error instanceof LateAnswer) throw error;
    return { kind: 'unknown', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

class LateAnswer extends Error {
  constructor() {
    super(`The rail did not answer within ${ANSWERS_WITHIN_MS} ms: give its calls a deadline of their own.`);
  }
}
