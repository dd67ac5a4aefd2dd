/** The refusals that a route may answer with, for the API reference: only codes of the error table. */
import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '#libs/domain';

export function Refuses(...codes: ErrorCode[]): MethodDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return applyDecorators(
    ...[...byStatus].map(([status, known]) =>
      ApiResponse({
        status,
        description: known.map((code) => `\`${code}\``).join(', '),
        schema: { $ref: '#/components/schemas/Error' },
      }),
    ),
  );
}

/** A route's summary, and whether the service adds it to the published contract. */
export function Describe(summary: string, options: { description?: string; addition?: boolean } = {}): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, description: options.description }),
    ...(options.addition ? [ApiExtension('x-addition', true)] : []),
  );
}
