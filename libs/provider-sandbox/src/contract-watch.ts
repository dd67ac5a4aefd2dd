/**
 * Holds what is said between a rail and a simulated provider against the schema that the provider publishes, so that the two
 * cannot agree on a field that nobody has. The schemas are no part of the product: without the file nothing is checked.
 */
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020';
import { publishedSchema } from './published-schema';
import type { SandboxAnswer, SandboxRequest } from './sandbox-server';

interface Operation {
  requestBody?: { content?: Record<string, { schema?: object }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  /** The provider's own calls to others, by name. */
  webhooks?: Record<string, Record<string, Operation>>;
}

export interface Complaint {
  about: string;
  says: string;
}

interface Options {
  /** The beginning of every path, which the published file leaves out. */
  below?: string;
  /** Calls that the published file leaves out, written by hand; the rest has to be in it. */
  unpublished: readonly string[];
  /** The same by their whole path, if others begin with it. */
  exactly?: readonly string[];
  /** A body as the schema sees it, such as a form. */
  decode?: (body: string) => unknown;
  /** Fails on properties that the published schema does not name, though it would let them pass. */
  closed?: boolean;
  /** A form says numbers and truths as text; an answer has to say them as they are. */
  coerce?: boolean;
}

/** Of a provider whose schema lies here; null: nothing can be held against it, and whoever wanted to has to say so. */
export function contractOf(provider: string, options: Options): ContractWatch | null {
  const file = publishedSchema(provider);
  return file === null ? null : new ContractWatch(file, options);
}

export class ContractWatch {
  readonly complaints: Complaint[] = [];
  private readonly document: Document;
  private readonly asked: Ajv2020;
  private readonly told: Ajv2020;

  constructor(
    file: string,
    private readonly options: Options,
  ) {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Document;
    this.document = options.closed ? closed(read) : read;
    const usual = { strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true };
    this.asked = new Ajv2020({ ...usual, coerceTypes: options.coerce ?? false });
    this.told = new Ajv2020(usual);
    for (const ajv of [this.asked, this.told]) ajv.addSchema(this.document, 'provider');
  }

  see({ method, path: called, body }: SandboxRequest, answer: SandboxAnswer): void {
    const path = this.published(called);
    const about = `${method} ${path}`;
    if (this.isUnpublished(path)) return;
    const found = this.operation(method, path);
    if (!found) return void this.complaints.push({ about, says: 'no such call is published' });
    const { template, operation } = found;
    const asked = operation.requestBody?.content;
    const isRead = method === 'GET' || body === '';
    // A request that was refused as malformed need not be well formed.
    if (asked && !isRead && answer.status < 400)
      this.check(
        about,
        ['paths', template, method.toLowerCase(), 'requestBody'],
        asked,
        this.decoded(body),
        this.asked,
      );
    const status = String(answer.status) in operation.responses ? String(answer.status) : 'default';
    const told = operation.responses[status]?.content;
    if (!operation.responses[status])
      return void this.complaints.push({ about, says: `status ${answer.status} is not published` });
    if (told)
      this.check(
        `${about}, answered ${answer.status}`,
        ['paths', template, method.toLowerCase(), 'responses', status],
        told,
        answer.body,
      );
  }

  /** A notice that the provider sends by itself, in words that it publishes as well. */
  seeNotice(name: string, body: unknown): void {
    const told = this.document.webhooks?.[name]?.post?.requestBody?.content;
    if (!told) return void this.complaints.push({ about: name, says: 'no such notice is published' });
    this.check(name, ['webhooks', name, 'post', 'requestBody'], told, body);
  }

  private published(path: string): string {
    const { below = '' } = this.options;
    return path.startsWith(below) ? path.slice(below.length) : path;
  }

  private isUnpublished(path: string): boolean {
    const { unpublished, exactly = [] } = this.options;
    return exactly.includes(path) || unpublished.some((known) => path.startsWith(known));
  }

  private decoded(body: string): unknown {
    return this.options.decode ? this.options.decode(body) : (JSON.parse(body) as unknown);
  }

  private operation(method: string, path: string): { template: string; operation: Operation } | null {
    for (const [template, operations] of Object.entries(this.document.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`);
      const operation = operations[method.toLowerCase()];
      if (operation && pattern.test(path)) return { template, operation };
    }
    return null;
  }

  private check(
    about: string,
    place: string[],
    content: Record<string, unknown>,
    value: unknown,
    ajv: Ajv2020 = this.told,
  ): void {
    const [type = ''] = Object.keys(content);
    const pointer = [...place, 'content', type, 'schema'].map((part) =>
      encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1')),
    );
    const id = `provider#/${pointer.join('/')}`;
    const validate = ajv.getSchema(id);
    if (!validate) throw new Error(`There is no schema at ${id}.`);
    if (validate(value)) return;
    for (const { instancePath, message, params } of validate.errors ?? [])
      this.complaints.push({ about, says: `${instancePath || 'it'} ${message} ${JSON.stringify(params)}` });
  }
}

type Schema = Record<string, unknown>;

/** Every object that names its properties takes no others. One that is put together takes what its parts name between them. */
function closed<T>(document: T): T {
  const parts = new Set<string>();
  JSON.stringify(document, (key, value: unknown) => {
    for (const { $ref } of key === 'allOf' ? partsOf(value) : []) if (typeof $ref === 'string') parts.add($ref);
    return value;
  });
  return closedAt(document, '#', parts) as T;
}

function closedAt(value: unknown, place: string, parts: ReadonlySet<string>): unknown {
  const inside = (each: unknown, key: string | number): unknown => closedAt(each, `${place}/${key}`, parts);
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value !== 'object' || value === null) return value;
  const all: Schema = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inside(each, key)]));
  if (partsOf(all.allOf).length > 0) return { ...all, unevaluatedProperties: false };
  const isPart = parts.has(place) || /\/allOf\/[0-9]+$/.test(place);
  const isOpen = !isPart && 'properties' in all && all.type === 'object' && !('additionalProperties' in all);
  return isOpen ? { ...all, additionalProperties: false } : all;
}

/** A schema that is one other and a word about it is put together of nothing. */
const partsOf = (allOf: unknown): Schema[] => (Array.isArray(allOf) && allOf.length > 1 ? (allOf as Schema[]) : []);
