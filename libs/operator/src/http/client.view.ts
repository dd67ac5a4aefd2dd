/** Clients as operators read them. */
import { ApiProperty } from '@nestjs/swagger';
import type { Client, KeyRow } from '#libs/clients';

/** Examples of their form; neither is a real one. */
const KEY = 'gw_test_…';
const SECRET = 'whsec_…';

export class KeyView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'The beginning of the key.', example: 'gw_test_4vZk…' }) hint: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) expiresAt: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) revokedAt: string | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
}

export function keyView({ id, hint, expiresAt, revokedAt, createdAt }: KeyRow): KeyView {
  return {
    id,
    hint,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

export class ClientView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Example Studio' }) name: string;
  @ApiProperty({ enum: ['active', 'suspended', 'closed'], example: 'active' }) status: string;
  @ApiProperty({ description: 'Pays over the mock rail only. Fixed for ever.', example: true }) testMode: boolean;
  @ApiProperty({ type: 'integer', enum: [1, 2], description: 'The status words it reads.', example: 1 })
  statusVersion: number;
  @ApiProperty({ type: [String], example: ['payouts:write', 'payouts:read', 'payees:write', 'payees:read'] })
  scopes: string[];
  @ApiProperty({ type: String, nullable: true, example: 'https://studio.example.com/hooks' }) webhookUrl: string | null;
  @ApiProperty({ type: [String], example: ['payee.updated', 'payout.status'] }) eventTypes: string[];
  @ApiProperty({ type: [String], nullable: true, description: 'null: every rail.' }) railAllowList: string[] | null;
  @ApiProperty({ description: 'Pays from a wallet.', example: false }) prepaid: boolean;
  @ApiProperty({ example: 'USD' }) defaultCurrency: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'singleCents, dailyCents; what is not there is the default of the deployment.',
    example: { singleCents: 500000 },
  })
  caps: object;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Cents for each rail; what is not there is the floor of the rail.',
    example: { custodial_b: 5000 },
  })
  floors: object;
  @ApiProperty({ type: 'object', additionalProperties: true, example: { enabled: true, minCents: 1000 } })
  withdrawPolicy: object;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: the default of the deployment.' })
  rateLimitPerMinute: number | null;
  @ApiProperty({ description: 'Signatures of version 1 are refused.', example: false }) requireSignatureV2: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: a day, none in test mode.' })
  coolDownSeconds: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of its payees who do not say theirs.', example: 'en' })
  locale: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'How it shows itself to its payees: name, logo, color, supportEmail.',
    example: { color: '#1f5eff' },
  })
  brand: object;
  @ApiProperty({
    type: [String],
    description: 'Held payouts that go on by themselves once the cause is gone, by reason.',
    example: ['not_payable'],
  })
  autoRelease: string[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    description: 'Mails to payees that are switched off, or on: payoutReturned, payoutNeedsYou.',
    example: { payoutReturned: false },
  })
  mails: object;
  @ApiProperty({
    description: 'Its payees are checked by their rail before money that waits in a wallet of theirs goes on.',
    example: false,
  })
  checksPayees: boolean;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function clientView(client: Client): ClientView {
  const { id, name, status, testMode, statusVersion, scopes, webhookUrl, eventTypes, railAllowList, prepaid } = client;
  const { defaultCurrency, caps, floors, withdrawPolicy, rateLimitPerMinute, requireSignatureV2, coolDownSeconds } =
    client;
  const { locale, brand, autoRelease, mails, checksPayees } = client;
  return {
    ...{ id, name, status, testMode, statusVersion, scopes, webhookUrl, eventTypes, railAllowList, prepaid },
    ...{ defaultCurrency, caps, floors, withdrawPolicy, rateLimitPerMinute, requireSignatureV2, coolDownSeconds },
    ...{ locale, brand, autoRelease, mails, checksPayees },
    createdAt: client.createdAt.toISOString(),
    updatedAt: client.updatedAt.toISOString(),
  };
}

export class ClientPage {
  @ApiProperty({ type: [ClientView] }) data: ClientView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}

export class EffectiveCapsView {
  @ApiProperty({ type: 'integer', example: 500000 }) singleCents: number;
  @ApiProperty({ type: 'integer', example: 5000000 }) dailyCents: number;
}

export class ClientDetailView extends ClientView {
  @ApiProperty({
    type: EffectiveCapsView,
    description: 'What is compared with: its own caps, else those of the deployment.',
  })
  effectiveCaps: EffectiveCapsView;
  @ApiProperty({ type: [KeyView] }) keys: KeyView[];
}

export class ProvisionedClientView {
  @ApiProperty({ type: ClientView }) client: ClientView;
  @ApiProperty({ description: 'Shown this once.', example: KEY }) apiKey: string;
  @ApiProperty({ description: 'Shown this once.', example: SECRET }) signingSecret: string;
}

export class IssuedKeyView {
  @ApiProperty({ format: 'uuid' }) keyId: string;
  @ApiProperty({ description: 'Shown this once.', example: KEY }) apiKey: string;
}

export class IssuedSecretView {
  @ApiProperty({ description: 'Shown this once.', example: SECRET }) signingSecret: string;
}
