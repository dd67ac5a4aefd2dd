/**
 * The beginning of what a receiver answered, as text that can be stored and shown: what is not UTF-8, and every control
 * character that could fool a terminal or that Postgres refuses, becomes U+FFFD. A tab or a line's end stays.
 */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const EXCERPT_BYTES = 1_024;

/** null if there was nothing to read. */
export function excerptOf(chunks: Buffer[]): string | null {
  const bytes = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES);
  if (bytes.length === 0) return null;
  // In a stream the decoder keeps back a character that is cut off in its middle.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length === EXCERPT_BYTES });
  return text.replaceAll('\r\n', '\n').replace(CONTROL, '\ufffd');
}
