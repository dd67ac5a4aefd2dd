/**
 * Checks bodies and queries against their classes; every complaint names the field's path as the caller wrote it. Fields that no class
 * declares are sorted out first: class-validator's own way with them grows with the square of what was sent.
 */
import { type ArgumentMetadata, type Type, type ValidationError, ValidationPipe } from '@nestjs/common';
import { type FieldError, Refusal } from '#libs/domain';
import { instanceAsSent } from './as-sent';
import { complaint } from './first-trouble';
import { knownProperties } from './known-properties';
import { shown } from './shown';

export const UNKNOWN_PROPERTY = 'is not a known property';
const MOST_COMPLAINTS = 20;

export function fieldErrors(errors: ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const path = /^\d+$/.test(error.property) ? `${parent}[${error.property}]` : join(parent, error.property);
    const own = Object.values(error.constraints ?? {}).map((message) => ({
      path,
      message: complaint(error.value, message),
    }));
    return [...own, ...fieldErrors(error.children ?? [], path)];
  });
}

const join = (parent: string, property: string): string => (parent ? `${parent}.${property}` : property);

class AsSentPipe extends ValidationPipe {
  override async transform(sent: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!this.toValidate(metadata) || typeof sent !== 'object' || sent === null) return super.transform(sent, metadata);
    const known = knownProperties(metadata.metatype as Type<object>);
    const unknown = Object.keys(sent).filter((name) => !known.has(name));
    if (unknown.length === 0) return super.transform(sent, metadata);
    const rest = Object.fromEntries(Object.entries(sent).filter(([name]) => known.has(name)));
    throw refusal([...unknown.map(unknownProperty), ...(await this.complaintsAbout(rest, metadata))]);
  }

  /** Nest would silently take names that every object has out of what was sent, out of metadata too. */
  protected override stripProtoKeys(): void {}

  private async complaintsAbout(sent: object, metadata: ArgumentMetadata): Promise<FieldError[]> {
    try {
      await super.transform(sent, metadata);
      return [];
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown.details?.fields ?? [];
      throw thrown;
    }
  }
}

const unknownProperty = (name: string): FieldError => ({ path: shown(name), message: UNKNOWN_PROPERTY });

/** A sender of ten thousand wrong fields has one mistake to find, not ten thousand. */
function refusal(complaints: FieldError[]): Refusal {
  const fields = complaints.slice(0, MOST_COMPLAINTS);
  const more = complaints.length - fields.length;
  const untold = more > 0 ? ` Those are the first ${MOST_COMPLAINTS}; there are ${more} more.` : '';
  return new Refusal('invalid_request', `The request is not valid; see details.fields.${untold}`, { fields });
}

export const validationPipe = new AsSentPipe({
  transformerPackage: {
    plainToInstance: <T>(type: Type<T>, sent: unknown): T => instanceAsSent(type, sent as object),
    classToPlain: (instance: object) => instance,
  },
  transform: true,
  stopAtFirstError: true,
  forbidUnknownValues: false,
  exceptionFactory: (errors) => refusal(fieldErrors(errors)),
});
