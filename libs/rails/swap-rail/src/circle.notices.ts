/**
 * Notices of Circle, believed by their signature alone. The key that a notice names is asked for once, and kept; made-up keys do not make
 * us call Circle without end.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { NamedKeys, type Notice, type NoticeReading, type RailStore } from '#libs/rail-kit';
import type { CircleClient } from './circle.client';
import { referenceOf } from './references';

const FORGED = { kind: 'forged' } as const;
const KEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ALGORITHM = 'ECDSA_SHA_256';

export class CircleNotices {
  private readonly keys: NamedKeys<KeyObject>;

  constructor(
    private readonly client: CircleClient,
    store: RailStore,
  ) {
    this.keys = new NamedKeys((keyId, signal) => this.asked(keyId, signal), store);
  }

  async read({ headers, body }: Notice, signal?: AbortSignal): Promise<NoticeReading> {
    const { 'x-circle-key-id': keyId = '', 'x-circle-signature': signature = '' } = headers;
    if (!KEY_ID.test(keyId) || signature === '') return FORGED;
    const isSignedBy = (key: KeyObject): boolean => verify('sha256', body, key, Buffer.from(signature, 'base64'));
    // One key has one name, however its letters are written.
    return (await this.keys.signed(keyId.toLowerCase(), isSignedBy, signal)) ? hintsOf(body) : FORGED;
  }

  /** null: Circle has no such key. Throws if it cannot be had now: Circle tells the notice again. */
  private async asked(keyId: string, signal?: AbortSignal): Promise<KeyObject | null> {
    const answer = await this.client.noticeKey(keyId, signal);
    if (answer.kind === 'rejected') return null;
    if (answer.kind !== 'done') throw new Error('Circle gave no key');
    const { algorithm, publicKey } = answer.found.data;
    if (algorithm !== ALGORITHM) throw new Error('Circle signs in a way that is not known here');
    return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  }
}

interface Told {
  notificationId?: unknown;
  notification?: { refId?: unknown };
}

/** Which payment it is about. Of another kind, or made by others with the same account: nothing to ask about. */
function hintsOf(body: Buffer): NoticeReading {
  const { notificationId, notification } = JSON.parse(body.toString('utf8')) as Told;
  if (typeof notificationId !== 'string' || notificationId === '') return FORGED;
  const refId = notification?.refId;
  const railKey = typeof refId === 'string' ? referenceOf(refId)?.railKey : undefined;
  return { kind: 'hints', noticeId: notificationId, railKeys: railKey === undefined ? [] : [railKey] };
}
