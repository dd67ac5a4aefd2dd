/** As much of PostgreSQL's protocol as is needed to know which statement goes by. */
export interface Message {
  type: string;
  body: Buffer;
  whole: Buffer;
}

export interface Part {
  bytes: Buffer;
  /** The statement that these bytes end, null if they end none. */
  sql: string | null;
}

const STARTUP_PARAMETERS_AT = 8;

/** Whole messages from the beginning of these bytes, and what is left of them. */
export function messagesOf(bytes: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) break;
    const [type, body, whole] = [bytes[at] as number, bytes.subarray(at + 5, end), bytes.subarray(at, end)];
    messages.push({ type: String.fromCharCode(type), body, whole });
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Reads what a client sends, cut where a statement is complete: at a simple query, or at the Sync after its parts. */
export class FrontendReader {
  application = '';
  private started = false;
  private pending: Buffer = Buffer.alloc(0);
  private readonly prepared = new Map<string, string>();
  private current: string | null = null;

  read(bytes: Buffer): Part[] {
    this.pending = Buffer.concat([this.pending, bytes]);
    const startup = this.started ? [] : this.startup();
    const parts: Part[] = [...startup];
    let from = 0;
    let at = 0;
    for (const message of this.started ? messagesOf(this.pending).messages : []) {
      at += 5 + message.body.length;
      const ends = this.look(message);
      if (!ends) continue;
      parts.push({ bytes: this.pending.subarray(from, at), sql: this.current });
      this.current = null;
      from = at;
    }
    this.pending = this.pending.subarray(from);
    return parts;
  }

  private startup(): Part[] {
    if (this.pending.length < 4) return [];
    const length = this.pending.readInt32BE(0);
    if (this.pending.length < length) return [];
    const bytes = this.pending.subarray(0, length);
    const words = bytes.subarray(STARTUP_PARAMETERS_AT).toString('utf8').split('\0');
    this.application = words[words.indexOf('application_name') + 1] ?? '';
    this.pending = this.pending.subarray(length);
    this.started = true;
    return [{ bytes, sql: null }];
  }

  /** True where a statement, or another exchange, is complete. */
  private look({ type, body }: Message): boolean {
    if (type === 'Q') this.current = textAt(body, 0);
    if (type === 'P') this.parse(body);
    if (type === 'B') this.current = this.prepared.get(textAt(body, textAt(body, 0).length + 1)) ?? this.current;
    return 'QSXp'.includes(type);
  }

  private parse(body: Buffer): void {
    const name = textAt(body, 0);
    this.current = textAt(body, Buffer.byteLength(name) + 1);
    this.prepared.set(name, this.current);
  }
}

function textAt(body: Buffer, from: number): string {
  return body.subarray(from, body.indexOf(0, from)).toString('utf8');
}
