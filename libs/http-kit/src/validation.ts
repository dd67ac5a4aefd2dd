/** Checks bodies and queries against their classes; every complaint names the field's path as the caller wrote it. */
import { type Type, type ValidationError, ValidationPipe } from '@nestjs/common';
import { instanceToPlain } from 'class-transformer';
import { type FieldError, invalidField, Refusal } from '#libs/domain';
import { inheritedName, instanceAsSent } from './as-sent';

export const UNKNOWN_PROPERTY = 'is not a known property';

export function fieldErrors(errors: ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const path = /^\d+$/.test(error.property) ? `${parent}[${error.property}]` : join(parent, error.property);
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
      path,
      message: rule === 'whitelistValidation' ? UNKNOWN_PROPERTY : message,
    }));
    return [...own, ...fieldErrors(error.children ?? [], path)];
  });
}

const join = (parent: string, property: string): string => (parent ? `${parent}.${property}` : property);

class AsSentPipe extends ValidationPipe {
  /** Nest would silently take such names out, of metadata too: here they are refused as fields, and data further inside. */
  protected override stripProtoKeys(sent: object): void {
    const name = inheritedName(sent);
    if (name) throw invalidField(name, UNKNOWN_PROPERTY);
  }
}

export const validationPipe = new AsSentPipe({
  transformerPackage: {
    plainToInstance: <T>(type: Type<T>, sent: unknown): T => instanceAsSent(type, sent as object),
    classToPlain: instanceToPlain,
  },
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  stopAtFirstError: true,
  forbidUnknownValues: false,
  exceptionFactory: (errors) =>
    new Refusal('invalid_request', 'The request is not valid; see details.fields.', { fields: fieldErrors(errors) }),
});
