/** Checks bodies and queries against their classes; every complaint names the field's path as the caller wrote it. */
import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { type FieldError, Refusal } from '#libs/domain';

export function fieldErrors(errors: ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const path = /^\d+$/.test(error.property) ? `${parent}[${error.property}]` : join(parent, error.property);
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
      path,
      message: rule === 'whitelistValidation' ? 'is not a known property' : message,
    }));
    return [...own, ...fieldErrors(error.children ?? [], path)];
  });
}

const join = (parent: string, property: string): string => (parent ? `${parent}.${property}` : property);

export const validationPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  stopAtFirstError: true,
  forbidUnknownValues: false,
  exceptionFactory: (errors) =>
    new Refusal('invalid_request', 'The request is not valid; see details.fields.', { fields: fieldErrors(errors) }),
});
