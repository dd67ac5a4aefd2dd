/**
 * Notices of Tremendous, believed by their signature alone. They name an order or a reward by Tremendous's own id, so Tremendous is asked
 * whose it is: only for genuine notices, and only if they may be news to us.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notice, NoticeReading } from '#libs/rail-kit';
import { detailOf } from './orders';
import { railKeyOf } from './sendings';
import type { TremendousClient } from './tremendous.client';

const FORGED = { kind: 'forged' } as const;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/;
/** Others are about what we know, or about what is no order. */
const NEWS = ['ORDERS.APPROVED', 'ORDERS.CANCELED', 'ORDERS.FAILED', 'REWARDS.CANCELED'];

interface Told {
  event?: unknown;
  uuid?: unknown;
  payload?: { resource?: { id?: unknown; type?: unknown } };
}

export class TremendousNotices {
  constructor(
    private readonly client: TremendousClient,
    private readonly key: string,
  ) {}

  async read({ headers, body }: Notice, signal?: AbortSignal): Promise<NoticeReading> {
    if (!this.isGenuine(body, headers['tremendous-webhook-signature'])) return FORGED;
    const { event, uuid, payload } = JSON.parse(body.toString('utf8')) as Told;
    if (typeof uuid !== 'string' || uuid === '') return FORGED;
    const { id, type } = payload?.resource ?? {};
    const isNews = NEWS.includes(String(event)) && typeof id === 'string';
    const name = isNews ? await this.nameOf(String(type), id, signal) : null;
    return { kind: 'hints', noticeId: uuid, railKeys: name === null ? [] : [railKeyOf(name)] };
  }

  private isGenuine(body: Buffer, signature = ''): boolean {
    const given = Buffer.from(SIGNATURE.exec(signature)?.[1] ?? '', 'hex');
    const expected = createHmac('sha256', this.key).update(body).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** null: it is of nobody's order, or was made by others with the same account. Throws if it cannot be told now: it is told again. */
  private async nameOf(type: string, id: string, signal?: AbortSignal): Promise<string | null> {
    const orderId = type === 'rewards' ? await this.orderIdOf(id, signal) : id;
    if (orderId === null) return null;
    const answer = await this.client.readOrder(orderId, signal);
    if (answer.kind === 'done') return answer.found.order.external_id ?? null;
    if (answer.kind === 'rejected' && answer.status === 404) return null;
    throw new Error(`Tremendous did not say whose order it is: ${detailOf(answer)}`);
  }

  private async orderIdOf(rewardId: string, signal?: AbortSignal): Promise<string | null> {
    const answer = await this.client.readReward(rewardId, signal);
    if (answer.kind === 'done') return answer.found.reward.order_id ?? null;
    if (answer.kind === 'rejected' && answer.status === 404) return null;
    throw new Error(`Tremendous did not say whose reward it is: ${detailOf(answer)}`);
  }
}
