/**
 * Makes an instance of what was sent, and loses nothing on the way. class-transformer passes over names that every object
 * has, so that no check would see them, and takes nested objects apart as if they were classes.
 */
import { type ClassConstructor, plainToInstance } from 'class-transformer';

/** A name that every object has, such as constructor: no field is called so. */
export const inheritedName = (sent: object): string | undefined =>
  Object.keys(sent).find((name) => name in Object.prototype);

/** An object inside, such as metadata, stays as it is: its names are the caller's. Only after `inheritedName` said no. */
export function instanceAsSent<T>(type: ClassConstructor<T>, sent: object): T {
  const fields = Object.entries(sent);
  const instance = plainToInstance(type, Object.fromEntries(fields.filter((field) => !holdsObject(field))));
  return Object.assign(instance as T & object, Object.fromEntries(fields.filter(holdsObject)));
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const holdsObject = ([, value]: [string, unknown]): boolean =>
  Array.isArray(value) ? value.some(isObject) : isObject(value);
