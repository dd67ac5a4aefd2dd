/** What an operator can do instead after a refused step, perhaps at night: it depends on where the payout stands. */
import { type PayoutStatus, Refusal } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';

export type Step = 'release' | 'retry' | 'fail';

/** Where a step is refused for another cause than the status: that cause says for itself what it waits for. */
const STEPS_FROM: Record<Step, PayoutStatus[]> = {
  release: ['held'],
  retry: ['failed'],
  fail: ['authorized', 'held', 'failed'],
};

export async function advised(step: Step, payout: Payout, work: () => Promise<Payout>): Promise<Payout> {
  try {
    return await work();
  } catch (error) {
    const advice = error instanceof Refusal ? adviceOn(step, payout) : null;
    throw error instanceof Refusal && advice
      ? new Refusal(error.code, `${error.message} ${advice}`, error.details)
      : error;
  }
}

export function adviceOn(
  step: Step,
  payout: Pick<Payout, 'id' | 'status' | 'failureKind' | 'supersededBy' | 'consolidates' | 'submittedAt'>,
): string | null {
  const { status, failureKind, supersededBy } = payout;
  const isForGood = step === 'retry' && failureKind === 'permanent';
  if (supersededBy !== null || (STEPS_FROM[step].includes(status) && !isForGood)) return null;
  return adviceAt(payout);
}

function adviceAt({ id, status, failureKind, consolidates, submittedAt }: Parameters<typeof adviceOn>[1]): string {
  const toPayIt = consolidates
    ? 'What it paid is owed again, and leaves with the next withdrawal: make no other payout for it.'
    : 'To pay it, another payout has to be made.';
  if (status === 'held') return `\`gw payouts release ${id}\` puts it to its gates again.`;
  if (status === 'paid') return `If its payee misses the money, \`gw payouts look ${id}\` asks its rail once more.`;
  if (status === 'returned') return `Its money came back. ${toPayIt}`;
  if (status === 'authorized' && submittedAt === null)
    return `It waits to be sent: \`gw rails\` says whether its rail is closed or one is awaited, \`gw payouts show ${id}\` what its job waits for.`;
  if (status !== 'failed')
    return `It is under way: \`gw payouts look ${id}\` asks its rail now, and what that says decides.`;
  return failureKind === 'transient' ? `\`gw payouts retry ${id}\` tries it again.` : toPayIt;
}
