/** Many batches that PayPal denied are asked about together: a withdrawal, or a second look, waits for three seconds. */
import { testOrder } from '#libs/rail-kit/testing';
import { Batches } from './batches';
import { claimRail } from './claim-rail';
import type { PaypalClient } from './paypal.client';

const BATCHES = 30;

it('ten at a time, and their answers are in order', async () => {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const readBatch = async (batchId: string): Promise<unknown> => {
    asked.push(batchId);
    await new Promise<void>((goOn) => {
      waiting.push(goOn);
      // None is answered before all are asked that may be at once.
      if (waiting.length === 10) for (const each of waiting.splice(0)) each();
    });
    return { kind: 'unclear', detail: batchId };
  };
  const batches = new Batches({ readBatch } as unknown as PaypalClient, claimRail.traits);
  const ended = Array.from({ length: BATCHES }, (_, nth) => ({ number: nth + 1, batchId: `batch ${nth + 1}` }));
  const told = await batches.ended(testOrder(claimRail.traits, { currency: 'USD' }), ended, () => ({
    kind: 'never_seen',
  }));
  expect(asked).toEqual(ended.map(({ batchId }) => batchId));
  expect(told).toEqual(ended.map(({ batchId }) => ({ kind: 'unknown', detail: `PayPal did not say: ${batchId}` })));
});
