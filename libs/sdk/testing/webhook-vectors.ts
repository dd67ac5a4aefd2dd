/** The vectors of docs/webhooks, as the specs read them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const WEBHOOK_DOCS = join(__dirname, '../../../docs/webhooks');

export interface WebhookVector {
  name: string;
  why: string;
  valid: boolean;
  /** Unix seconds. */
  now: number;
  secrets: string[];
  headers: Record<string, string[]>;
  bodyBase64: string;
}

export const { vectors } = JSON.parse(readFileSync(join(WEBHOOK_DOCS, 'vectors.json'), 'utf8')) as {
  vectors: WebhookVector[];
};

export const bodyOf = ({ bodyBase64 }: WebhookVector): Buffer => Buffer.from(bodyBase64, 'base64');

/** The one value of a header, under whatever spelling of its name. */
export function headerOf({ headers }: WebhookVector, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1][0];
}
