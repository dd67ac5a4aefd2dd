/** An id in a path: in one spelling, and whatever is no id is simply not there. */
import { Param } from '@nestjs/common';
import { canonicalId, type ErrorCode, Refusal } from '#libs/domain';

export const IdParam = (missing: ErrorCode, name = 'id'): ParameterDecorator =>
  Param(name, {
    transform: (text: string) => {
      const id = canonicalId(text);
      if (!id) throw new Refusal(missing);
      return id;
    },
  });

/** The same words for what is missing and what belongs to somebody else. */
export const NOT_THERE = 'There is no such object.';
