// docs/reasons.md: why a payout is held or failed, who acts, and how.
import { lib } from './compiled.mjs';
import { code, page, table } from './markdown.mjs';

const WHO = { caller: 'you', payee: 'the payee', operator: 'the operator', nobody: 'nobody' };

export function reasonsPage() {
  const { AUTO_RELEASED, REASONS, notImplemented } = lib('domain');
  const reasons = Object.entries(REASONS).map(([name, reason]) => [
    name,
    {
      ...reason,
      releasesItself: reason.releasesItself ?? (AUTO_RELEASED.includes(name) ? 'if your client lets it' : 'no'),
    },
  ]);
  return page(
    'Reasons',
    'libs/domain/src/payout/reasons.ts',
    `${code('statusReason')} of a payout that is held or failed is one of these codes, or ${code('code: detail')}. Branch on
     the code; the detail is for people.`,
    '## Held',
    `Release a held payout once its cause is gone: ${code('POST /api/v1/payouts/{id}/release')} puts it to all gates again,
     the floor aside.`,
    `Where the last column says "if your client lets it", the operator can have such payouts of your client go on by
     themselves once the cause is gone: see [holds that release themselves](integrate.md#holds-that-release-themselves).`,
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
        releasesItself,
      ]),
  );
}

function unknownActor(actor) {
  throw new Error(`tools/docs/reasons.mjs has no words for the actor '${actor}': add them to WHO.`);
}
