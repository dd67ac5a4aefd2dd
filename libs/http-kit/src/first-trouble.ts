/**
 * The first complaint about a row, by the same checks that class-validator would run. It collects every complaint about
 * every field, which a thousand bad rows are given too much time for: here the first one ends it.
 */
import { getMetadataStorage, type ValidatorConstraintInterface } from 'class-validator';
import type { FieldError } from '#libs/domain';

type Row = Record<string, unknown>;

interface Property {
  name: string;
  /** All must hold, or the property is not looked at: it is optional and missing. */
  conditions: ((row: Row, value: unknown) => boolean)[];
  checks: { check: ValidatorConstraintInterface; constraints: unknown[]; message: string | null }[];
}

const properties = new Map<unknown, Property[]>();

export function firstTrouble(type: new () => object, row: object): FieldError | null {
  for (const { name, conditions, checks } of propertiesOf(type)) {
    const value = (row as Row)[name];
    if (!conditions.every((holds) => holds(row as Row, value))) continue;
    for (const { check, constraints, message } of checks) {
      const asked = { value, constraints, targetName: type.name, object: row, property: name };
      if (check.validate(value, asked)) continue;
      return { path: name, message: complaint(value, message ?? check.defaultMessage?.(asked) ?? '') };
    }
  }
  return null;
}

/** An optional field that is left out is not checked: so a required one that is left out is told first. */
export const complaint = (value: unknown, message: string): string =>
  value === undefined ? `is required, and ${message}` : message;

function propertiesOf(type: new () => object): Property[] {
  const kept = properties.get(type);
  if (kept) return kept;
  const read = readProperties(type);
  properties.set(type, read);
  return read;
}

function readProperties(type: new () => object): Property[] {
  const storage = getMetadataStorage();
  const found = new Map<string, Property>();
  for (const metadata of storage.getTargetValidationMetadatas(type, '', true, false)) {
    const { propertyName: name, type: kind, constraints, constraintCls, message } = metadata;
    const property = found.get(name) ?? { name, conditions: [], checks: [] };
    found.set(name, property);
    if (kind === 'conditionalValidation') property.conditions.push(constraints[0] as Property['conditions'][number]);
    else if (kind === 'customValidation' && typeof message !== 'function')
      for (const { instance } of storage.getTargetValidatorConstraints(constraintCls))
        property.checks.push({ check: instance, constraints, message: message ?? null });
    else throw new Error(`A row cannot have a check of kind ${kind}: ${type.name}.${name}.`);
  }
  return [...found.values()];
}
