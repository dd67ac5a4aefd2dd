// The limit that Nest sets: a route that reads the bytes, checks their signature and answers, and nothing else; and one that
// answers what a page of payouts is in PostgreSQL.
import 'reflect-metadata';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Controller, Get, Module, Post, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';

const { PORT, GATEWAY_KEY, GATEWAY_SECRET, CLIENT_ID, DATABASE_URL } = process.env;

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 12 });
const PAGE = {
  name: 'page',
  text: 'SELECT * FROM payouts WHERE client_id = $1 ORDER BY created_at DESC, id DESC LIMIT 101',
  values: [CLIENT_ID],
};

/** As long as what the gateway answers to a payout. */
const ANSWER = {
  id: '019a0000-0000-7000-8000-000000000000',
  payeeId: '019a0000-0000-7000-8000-000000000001',
  externalId: 'payee-1',
  status: 'authorized',
  amountCents: 1000,
  currency: 'USD',
  provider: 'claim_rail',
  providerRef: null,
  ref: 'order-1',
  reason: null,
  failureKind: null,
  statusReason: null,
  claimUrl: null,
  settledAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

class SignatureGuard {
  canActivate(context) {
    const { headers, rawBody } = context.switchToHttp().getRequest();
    const given = Buffer.from(headers['x-gw-signature'] ?? '', 'hex');
    const signed = createHmac('sha256', GATEWAY_SECRET).update(`${headers['x-gw-timestamp']}.`).update(rawBody);
    const expected = signed.digest();
    return (
      headers.authorization === `Bearer ${GATEWAY_KEY}` &&
      given.length === expected.length &&
      timingSafeEqual(given, expected)
    );
  }
}

class BareController {
  pay() {
    return ANSWER;
  }

  read() {
    return ANSWER;
  }

  async page() {
    const { rows } = await pool.query(PAGE);
    return { data: rows.slice(0, 100), nextCursor: rows[99].id };
  }
}

class BareModule {}

decorate(BareController, 'pay', Post());
decorate(BareController, 'read', Get());
decorate(BareController, 'page', Get('page'));
UseGuards(SignatureGuard)(BareController);
Controller('bare')(BareController);
Module({ controllers: [BareController], providers: [SignatureGuard] })(BareModule);

const app = await NestFactory.create(BareModule, { bodyParser: false, logger: false });
app.disable('etag');
app.disable('x-powered-by');
app.use(readRawBody);
await app.listen(Number(PORT), '127.0.0.1');
process.stdout.write('The bare route is ready.\n');

/** What `@Decorator()` above a method compiles to. */
function decorate({ prototype }, method, decorator) {
  decorator(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}

function readRawBody(request, _, next) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    request.rawBody = Buffer.concat(chunks);
    next();
  });
}
