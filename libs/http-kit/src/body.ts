/** Turns a request's raw bytes into its body, once everything about who sent them has been checked. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { invalidBody, Refusal } from '#libs/domain';
import { AdmittedTurns } from './admitted-turns';
import { BodyTurns } from './body-turns';
import type { GatewayRequest } from './gateway-request';
import { refuseIfLetGo } from './raw-body';
import { type JsonObject, parseStrictJson } from './strict-json';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/** Smaller ones are parsed as they come, a few in a turn of the event loop. */
const BIG_BYTES = 8_192;

const turns = new BodyTurns();
const admitted = new AdmittedTurns();

/** Big ones wait for those of others; once one is parsed, others have their turn before it is looked into. */
export async function readBody(request: GatewayRequest, sender: string): Promise<JsonObject> {
  if (request.rawBody.length < BIG_BYTES) {
    await admitted.wait(sender, request.rawBody.length + request.originalUrl.length);
    return parseBody(request);
  }
  return turns.run(sender, request.rawBody.length, async () => {
    const body = await parseBody(request);
    await othersFirst();
    return body;
  });
}

/** A request without a body counts as one with an empty object; what a route requires, its fields say. */
async function parseBody(request: GatewayRequest): Promise<JsonObject> {
  refuseIfLetGo(request);
  if (request.rawBody.length === 0) return {};
  if (request.method === 'GET' || request.method === 'HEAD')
    throw invalidBody(`A ${request.method} request carries no body.`);
  if (request.headers['content-encoding'] !== undefined)
    throw new Refusal('unsupported_media_type', 'Send the body as it is, without a content-encoding.');
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw new Refusal('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  return parseStrictJson(request.rawBody);
}
