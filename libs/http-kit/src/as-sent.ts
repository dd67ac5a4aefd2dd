/**
 * Makes an instance of what was sent, and loses nothing on the way: a value is what it was, unless its property says how
 * it is read, such as a country in upper case. Only for properties that are known: any other name could be __proto__.
 */
import type { Type } from '@nestjs/common';

type Reading = (value: unknown) => unknown;

const declared = new Map<object, Map<string, Reading>>();
const collected = new Map<unknown, ReadonlyMap<string, Reading>>();

/** How a property's value is read before it is checked. */
export function ReadAs(reading: Reading): PropertyDecorator {
  return (prototype, property) => {
    const readings = declared.get(prototype) ?? new Map<string, Reading>();
    declared.set(prototype, readings.set(property as string, reading));
  };
}

export function instanceAsSent<T>(type: Type<T>, sent: object): T {
  const readings = readingsOf(type);
  const instance = new type() as Record<string, unknown>;
  for (const [name, value] of Object.entries(sent)) {
    const reading = readings.get(name);
    instance[name] = reading ? reading(value) : value;
  }
  return instance as T;
}

/** Its own, before those of the classes it extends. */
function readingsOf(type: Type): ReadonlyMap<string, Reading> {
  const kept = collected.get(type);
  if (kept) return kept;
  const readings = new Map<string, Reading>();
  for (
    let prototype = type.prototype as object | null;
    prototype;
    prototype = Object.getPrototypeOf(prototype) as object
  )
    for (const [name, reading] of declared.get(prototype) ?? []) if (!readings.has(name)) readings.set(name, reading);
  collected.set(type, readings);
  return readings;
}
