/** What operators read about clients. */
import { ApiProperty } from '@nestjs/swagger';
import type { Client, KeyRow } from '#libs/auth';

export class KeyView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'The beginning of the key.' }) hint: string;
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
  @ApiProperty() name: string;
  @ApiProperty({ enum: ['active', 'suspended', 'closed'] }) status: string;
  @ApiProperty() testMode: boolean;
  @ApiProperty({ enum: [1, 2] }) statusVersion: number;
  @ApiProperty({ type: [String] }) scopes: string[];
  @ApiProperty({ type: String, nullable: true }) webhookUrl: string | null;
  @ApiProperty({ type: [String] }) eventTypes: string[];
  @ApiProperty({ type: [String], nullable: true, description: 'null: every rail.' }) railAllowList: string[] | null;
  @ApiProperty() prepaid: boolean;
  @ApiProperty() defaultCurrency: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } }) caps: object;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } }) floors: object;
  @ApiProperty({ type: 'object', additionalProperties: true }) withdrawPolicy: object;
  @ApiProperty({ type: 'integer', nullable: true }) rateLimitPerMinute: number | null;
  @ApiProperty() requireSignatureV2: boolean;
  @ApiProperty({ type: 'integer', nullable: true }) coolDownSeconds: number | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ format: 'date-time' }) updatedAt: string;
}

export function clientView(client: Client): ClientView {
  const { id, name, status, testMode, statusVersion, scopes, webhookUrl, eventTypes, railAllowList, prepaid } = client;
  const { defaultCurrency, caps, floors, withdrawPolicy, rateLimitPerMinute, requireSignatureV2, coolDownSeconds } =
    client;
  return {
    ...{ id, name, status, testMode, statusVersion, scopes, webhookUrl, eventTypes, railAllowList, prepaid },
    ...{ defaultCurrency, caps, floors, withdrawPolicy, rateLimitPerMinute, requireSignatureV2, coolDownSeconds },
    createdAt: client.createdAt.toISOString(),
    updatedAt: client.updatedAt.toISOString(),
  };
}

export class ClientPage {
  @ApiProperty({ type: [ClientView] }) data: ClientView[];
  @ApiProperty({ type: String, nullable: true }) nextCursor: string | null;
}

export class ClientDetailView extends ClientView {
  @ApiProperty({ type: [KeyView] }) keys: KeyView[];
}

export class ProvisionedClientView {
  @ApiProperty({ type: ClientView }) client: ClientView;
  @ApiProperty({ description: 'Shown this once.' }) apiKey: string;
  @ApiProperty({ description: 'Shown this once.' }) signingSecret: string;
}

export class IssuedKeyView {
  @ApiProperty({ format: 'uuid' }) keyId: string;
  @ApiProperty({ description: 'Shown this once.' }) apiKey: string;
}

export class IssuedSecretView {
  @ApiProperty({ description: 'Shown this once.' }) signingSecret: string;
}
