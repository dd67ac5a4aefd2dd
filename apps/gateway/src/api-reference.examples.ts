/** Puts a schema's example together from those of its properties, so that no example is written twice. */
import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

const ID = '019aa3c4-5b7e-7a10-8c2f-1d0f6a3e9b42';
const IDS: Readonly<Record<string, string>> = {
  payeeId: '019aa3c4-1c09-7f3e-a6d1-52c8b07e4d11',
  clientId: '019aa3c3-e2d4-7b68-9f05-7a41c6d8e093',
};
const TIME = '2026-03-14T09:26:53.589Z';

type Schema = SchemaObject | ReferenceObject;

export class Examples {
  constructor(private readonly schemas: Readonly<Record<string, Schema>>) {}

  of(schema: Schema, name = ''): unknown {
    if ('$ref' in schema) return this.of(this.named(schema.$ref), name);
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0] as unknown;
    if (schema.properties) return this.object(schema);
    const [whatItMayBe] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
    if (whatItMayBe) return this.of(whatItMayBe, name);
    return schema.items && schema.type === 'array' ? [this.of(schema.items)] : withoutExample(schema, name);
  }

  /** Of what may be left out, only what has an example of its own is shown. */
  private object({ properties = {}, required = [] }: SchemaObject): object {
    const shown = Object.entries(properties).filter(
      ([name, schema]) => required.includes(name) || ('examples' in schema && schema.examples !== undefined),
    );
    return Object.fromEntries(shown.map(([name, schema]) => [name, this.of(schema, name)]));
  }

  private named(ref: string): Schema {
    const schema = this.schemas[ref.replace('#/components/schemas/', '')];
    if (!schema) throw new Error(`The reference speaks of ${ref}, which is not there.`);
    return schema;
  }
}

/** undefined if nothing can be guessed: the property then needs an example, and the check of the page says so. */
function withoutExample({ type, format }: SchemaObject, name: string): unknown {
  const types = [type].flat();
  if (types.includes('null')) return null;
  if (types.includes('object')) return {};
  if (format === 'uuid') return IDS[name] ?? ID;
  return format === 'date-time' ? TIME : undefined;
}
