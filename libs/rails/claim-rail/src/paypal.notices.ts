/**
 * Notices of PayPal, believed by their signature alone: PayPal is not asked, or strangers could make us call it. The certificate
 * comes from PayPal's own host, over TLS, and is kept; a notice that names another place for it is forged.
 */
import { verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { NamedKeys, type Notice, type NoticeReading, type RailStore } from '#libs/rail-kit';
import type { ClaimRailSettings } from './claim-rail.settings';

const FORGED = { kind: 'forged' } as const;
const CERTIFICATE = /^\/v1\/notifications\/certs\/[A-Za-z0-9_-]{1,128}$/;
const MOST_BYTES = 20_000;

interface Signed {
  id: string;
  time: string;
  signature: string;
  certificateUrl: string;
}

export class PaypalNotices {
  private readonly certificates: NamedKeys<X509Certificate>;

  constructor(
    private readonly settings: Pick<ClaimRailSettings, 'webhookId' | 'certificatesUrl' | 'timeoutMs'>,
    store: RailStore,
  ) {
    this.certificates = new NamedKeys((url, signal) => this.fetched(url, signal), store);
  }

  async read({ headers, body }: Notice, signal?: AbortSignal): Promise<PaypalReading> {
    const signed = signedBy(headers);
    const certificate = signed && this.certificateAt(signed.certificateUrl);
    if (!signed || certificate === null) return FORGED;
    const said = Buffer.from(`${signed.id}|${signed.time}|${this.settings.webhookId}|${crc32(body)}`);
    const signature = Buffer.from(signed.signature, 'base64');
    const isSignedBy = ({ publicKey }: X509Certificate): boolean => verify('RSA-SHA256', said, publicKey, signature);
    return (await this.certificates.signed(certificate, isSignedBy, signal)) ? hintsOf(body) : FORGED;
  }

  /** Its address as it is asked for, however it is spelled: one certificate has one name. null: it is not where PayPal has them. */
  private certificateAt(url: string): string | null {
    if (!URL.canParse(url)) return null;
    const { origin, pathname, search, hash } = new URL(url);
    const isOurs = origin === new URL(this.settings.certificatesUrl).origin && CERTIFICATE.test(pathname);
    return isOurs && !search && !hash ? origin + pathname : null;
  }

  /** Throws if it cannot be had now: PayPal tells the notice again. */
  private async fetched(url: string, signal?: AbortSignal): Promise<X509Certificate> {
    const inTime = AbortSignal.timeout(this.settings.timeoutMs);
    const response = await fetch(url, {
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, inTime]) : inTime,
    });
    const pem = await response.text();
    if (!response.ok || pem.length > MOST_BYTES) throw new Error(`PayPal gave no certificate: HTTP ${response.status}`);
    return new X509Certificate(pem);
  }
}

function signedBy(headers: Notice['headers']): Signed | null {
  const {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature,
    'paypal-cert-url': certificateUrl,
    'paypal-auth-algo': algorithm,
  } = headers;
  if (!id || !time || !signature || !certificateUrl || algorithm !== 'SHA256withRSA') return null;
  return { id, time, signature, certificateUrl };
}

/** Which payments it is about. Of another kind, or made by others with the same account: nothing to ask about. */
function hintsOf(body: Buffer): PaypalReading {
  const { id, resource } = JSON.parse(body.toString('utf8')) as { id?: unknown; resource?: Resource };
  if (typeof id !== 'string' || id === '') return FORGED;
  const railKey = [resource?.payout_item?.sender_item_id, codeOf(resource?.batch_header)].find(isText);
  const batchId = [resource?.payout_batch_id, resource?.batch_header?.payout_batch_id].find(isText) ?? null;
  return { kind: 'hints', noticeId: id, railKeys: railKey === undefined ? [] : [railKey], batchId };
}

const codeOf = (resource?: Resource): unknown => {
  const name = resource?.sender_batch_header?.sender_batch_id;
  return isText(name) ? name.replace(/:[0-9]+$/, '') : undefined;
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `batchId`: by which PayPal knows the batch that it tells of. */
export type PaypalReading = NoticeReading & { batchId?: string | null };

interface Resource {
  payout_batch_id?: unknown;
  payout_item?: { sender_item_id?: unknown };
  sender_batch_header?: { sender_batch_id?: unknown };
  batch_header?: Resource;
}
