// docs/reasons.md: why a payout is held or failed, who acts, and how.
import { lib } from './compiled.mjs';
import { code, page, table } from './markdown.mjs';

const WHO = { caller: 'you', payee: 'the payee', operator: 'the operator', nobody: 'nobody' };

export function reasonsPage() {
  const { REASONS, notImplemented } = lib('domain');
  const reasons = Object.entries(REASONS);
  return page(
    'Reasons',
    'libs/domain/src/payout/reasons.ts',
    `${code('statusReason')} of a payout that is held or failed is one of these codes, or ${code('code: detail')}. Branch on
     the code; the detail is for people.`,
    '## Held',
    `Release a held payout once its cause is gone: ${code('POST /api/v1/payouts/{id}/release')} puts it to all gates again,
     the floor aside.`,
    section(reasons, 'held'),
    '## Failed or returned',
    `${code('failureKind')} says whether ${code('POST /api/v1/payouts/{id}/retry')} can help: only after a transient failure.`,
    section(reasons, 'failed'),
    `${code(notImplemented('<name>'))} fails a payout for good: the routed rail is not part of this deployment. Contact the
     operator.`,
  );
}

function section(reasons, wanted) {
  return table(
    ['Code', 'Cause', 'Who acts', 'Remedy', 'Releases itself'],
    reasons
      .filter(([, { state }]) => state === wanted)
      .map(([name, { trigger, actor, remedy, releasesItself }]) => [
        code(name),
        trigger,
        WHO[actor] ?? unknownActor(actor),
        remedy,
        releasesItself ?? 'no',
      ]),
  );
}

function unknownActor(actor) {
  throw new Error(`tools/docs/reasons.mjs has no words for the actor '${actor}': add them to WHO.`);
}
