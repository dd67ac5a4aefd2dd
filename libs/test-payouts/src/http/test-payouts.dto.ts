import { FAILURE_KINDS, type FailureKind } from '#libs/domain';
import { OneOf, Text, WholeNumber } from '#libs/http-kit';

export class ClaimPayoutBody {
  @Text(1, 500, {
    optional: true,
    description: 'Where the payee of `mock:swap` wants the money; some address if left out.',
    example: 'mock_wallet_1',
  })
  destination?: string;
}

export class FailPayoutBody {
  @OneOf(FAILURE_KINDS, { description: 'A transient failure can be retried.', example: 'transient' }) kind: FailureKind;
}

export class ReturnPayoutBody {
  @WholeNumber(0, 100_000_000_000, { optional: true, description: 'Default 0.', example: 25 }) liftingFeeCents?: number;
}
