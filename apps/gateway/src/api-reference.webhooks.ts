/** The events that the service POSTs to its callers, with their payloads and headers. */
import { ApiProperty, ApiSchema, type OperationObject, type WebhooksObject } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType, FAILURE_KINDS, KYC_STATUSES, PAYOUT_STATUSES } from '#libs/domain';

const added = { 'x-addition': true };
const nullableText = { type: String, nullable: true } as const;

class EventHead {
  @ApiProperty({ format: 'uuid', description: 'The same over all attempts and replays.', ...added }) eventId: string;
  @ApiProperty({
    type: 'integer',
    example: 4,
    description: 'Rises with each event of the payout or payee.',
    ...added,
  })
  sequence: number;
  @ApiProperty({ format: 'date-time', description: 'When it happened.' }) occurredAt: string;
}

@ApiSchema({ name: 'PayeeUpdatedEvent', description: "A payee's onboarding state changed. The latest state wins." })
class PayeeUpdatedEvent extends EventHead {
  @ApiProperty({ enum: ['payee.updated'], example: 'payee.updated' }) type: string;
  @ApiProperty({ example: 'creator-42', description: "The payee's id in your system." }) externalId: string;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ example: true, description: 'True when the payee can be paid now.' }) payable: boolean;
  @ApiProperty({ enum: KYC_STATUSES, example: 'verified' }) kycStatus: string;
  @ApiProperty({
    ...nullableText,
    description: 'Set only when kycStatus is `rejected` and the provider gave a reason.',
  })
  kycReason: string | null;
}

@ApiSchema({ name: 'PayoutStatusEvent', description: 'A payout as it stood right after a change of its state.' })
class PayoutStatusEvent extends EventHead {
  @ApiProperty({ enum: ['payout.status'], example: 'payout.status' }) type: string;
  @ApiProperty({ format: 'uuid', description: 'Joins the events of one payout.' }) transactionId: string;
  @ApiProperty({ ...nullableText, example: 'invoice-7', description: 'Null for consolidated withdrawals.' }) ref:
    string | null;
  @ApiProperty({
    enum: [...PAYOUT_STATUSES, 'sent', 'awaiting_withdraw'],
    example: 'paid',
    description: "In the words of the client's status version.",
  })
  status: string;
  @ApiProperty({ ...nullableText, example: 'mock_2f0c8f4e', description: 'Null until the rail accepts.' }) providerRef:
    string | null;
  @ApiProperty({ example: 'creator-42', description: "The payee's id in your system." }) externalId: string;
  @ApiProperty({ format: 'uuid' }) payeeId: string;
  @ApiProperty({ type: 'integer', example: 2500, description: 'Minor units.' }) amountCents: number;
  @ApiProperty({ example: 'USD', description: 'ISO 4217.' }) currency: string;
  @ApiProperty({ ...nullableText, example: 'mock', description: 'The rail; null before routing.' }) provider:
    string | null;
  @ApiProperty({ ...nullableText, description: 'Show it to the payee: there is something to claim.' }) claimUrl:
    string | null;
  @ApiProperty({ enum: FAILURE_KINDS, nullable: true, description: 'Set on `held` and `failed`.' }) failureKind:
    string | null;
  @ApiProperty({ ...nullableText, format: 'date-time', description: 'When the money arrived; null where nobody says.' })
  settledAt: string | null;
  @ApiProperty({ type: 'integer', required: false, description: 'On `returned` only: what the bounce cost.' })
  liftingFeeCents?: number;
  @ApiProperty({ type: 'integer', required: false, description: 'On `returned` only: what comes back to the payee.' })
  restoredCents?: number;
}

export const EVENT_MODELS = [PayeeUpdatedEvent, PayoutStatusEvent];

const HEADERS: Readonly<Record<string, string>> = {
  'x-gw-timestamp': 'Unix seconds of this attempt. Refuse what is more than 300 s away.',
  'x-gw-signature': 'Hex HMAC-SHA256 of `{timestamp}.{rawBody}` with your signing secret.',
};
const ADDED_HEADERS: Readonly<Record<string, string>> = {
  'x-gw-event-id': 'The eventId of the payload.',
  'x-gw-event-type': 'The type of the payload.',
  'webhook-id': 'Standard Webhooks: the eventId.',
  'webhook-timestamp': 'Standard Webhooks: Unix seconds of this attempt.',
  'webhook-signature':
    'Standard Webhooks: `v1,` and a base64 HMAC-SHA256 of `{id}.{timestamp}.{rawBody}`; while secrets overlap, one for each, with spaces between.',
};

const EVENTS: Record<EventType, { model: string; summary: string; description: string }> = {
  'payee.updated': {
    model: 'PayeeUpdatedEvent',
    summary: "A payee's onboarding state changed",
    description: 'Keep the latest state of each externalId: a lower `sequence` that comes later is old news.',
  },
  'payout.status': {
    model: 'PayoutStatusEvent',
    summary: 'A payout changed its state',
    description:
      'Handle each `eventId` once. A payout can pass a status twice, when it is released or tried again: `sequence` tells ' +
      'them apart. `GET /payouts/{id}` says why a payout is held or failed.',
  },
};

const DELIVERY =
  'Any 2xx within 10 s acknowledges. Otherwise there are 8 attempts in all, 60 s after the first, then twice as long each ' +
  'time, at most an hour, and up to a tenth more. A receiver that keeps failing is left alone for a while, which costs ' +
  'no attempt. The same event may come twice.';

export const EVENT_WEBHOOKS: WebhooksObject = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, { post: delivery(type) }]),
);

function delivery(type: EventType): OperationObject {
  const { model, summary, description } = EVENTS[type];
  return {
    tags: ['Events'],
    operationId: model.replace(/^./, (letter) => `on${letter}`),
    summary,
    description: `${description}\n\n${DELIVERY}`,
    security: [],
    parameters: [
      ...Object.entries(HEADERS).map(([name, text]) => headerNamed(name, text)),
      ...Object.entries(ADDED_HEADERS).map(([name, text]) => ({ ...headerNamed(name, text), ...added })),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${model}` } } },
    },
    responses: { '2XX': { description: 'Received.' } },
  };
}

function headerNamed(name: string, description: string) {
  return { name, in: 'header' as const, required: true, description, schema: { type: 'string' } };
}
