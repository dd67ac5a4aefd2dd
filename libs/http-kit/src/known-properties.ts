/** The properties a class declares, by its checks. What else was sent is sorted out before any check looks at it. */
import { getMetadataStorage } from 'class-validator';

const known = new Map<unknown, ReadonlySet<string>>();

export function knownProperties(type: new () => object): ReadonlySet<string> {
  const kept = known.get(type);
  if (kept) return kept;
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const names = new Set(checks.map(({ propertyName }) => propertyName));
  known.set(type, names);
  return names;
}
