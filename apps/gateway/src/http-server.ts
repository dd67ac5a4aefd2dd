/** The HTTP edge: limits for slow callers, headers, the raw body, and routing that takes a path literally. */
import type { RequestListener } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { Doorkeeper } from '#libs/auth';
import { Refusal } from '#libs/domain';
import type { Config } from '#libs/config';
import { onBehalf } from '#libs/db';
import {
  BodyRoom,
  type GatewayRequest,
  leaveRefusedUnread,
  logRequest,
  readRawBody,
  RouteTable,
  sayRetryAfter,
  type Sender,
  wishOf,
} from '#libs/http-kit';
import { NestLog } from '#libs/telemetry';
import { serveReference } from './api-reference';
import { BYTES_OF_MIB, Connections } from './connections';
import { openDoors } from './doors';
import { edgeServer } from './edge-server';
import { onlyWhatIsServed, type Port, serveAt, servesOperators } from './ports';
import { Stopping } from './stopping';
import { refuseAmbiguousTargets } from './targets';

class GatewayAdapter extends ExpressAdapter {
  beforeClosing: () => Promise<void> = () => Promise.resolve();

  override initHttpServer(): void {
    this.httpServer = edgeServer(this.getInstance());
  }

  override async close(): Promise<void> {
    await this.beforeClosing();
    await super.close();
  }
}

export async function createHttpApp(
  module: DynamicModule,
  { production, role, proxyHops, bodyMemoryMib }: Pick<Config, 'production' | 'role' | 'proxyHops' | 'bodyMemoryMib'>,
): Promise<NestExpressApplication> {
  const adapter = new GatewayAdapter(literalExpress(proxyHops));
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLog(),
    abortOnError: false,
    forceCloseConnections: true,
  });
  adapter.beforeClosing = () => app.get(Stopping).requestsAnswered();
  app.get(Connections).watch(app.getHttpServer());
  app.use(logRequest);
  app.use((request: Request, response: Response, next: NextFunction) =>
    onBehalf(null, next, wishOf(request, response)),
  );
  app.use(sayRetryAfter);
  app.use(sayTheSameToAll(production));
  const [doorkeeper, routes] = [app.get(Doorkeeper), app.get(RouteTable)];
  app.use(onlyWhatIsServed);
  app.use(refuseAmbiguousTargets(routes));
  app.use(refuseWhileStopping(app.get(Stopping)));
  app.use(leaveRefusedUnread);
  const whoSends = (request: GatewayRequest): Promise<Sender | null> =>
    doorkeeper.whoSends(request, routes.accessAt(request.method, request.path));
  app.use(readRawBody(whoSends, new BodyRoom(bodyMemoryMib * BYTES_OF_MIB)));
  const showsOperators = async (request: Request): Promise<boolean> =>
    servesOperators(request) && (!production || (await doorkeeper.isOperator(request as GatewayRequest)));
  if (role !== 'worker') serveReference(app, showsOperators);
  return app;
}

/** The first port is the application's own; the others are further doors to the same. */
export async function listenAt(app: NestExpressApplication, host: string, [first, ...others]: Port[]): Promise<void> {
  if (!first) return;
  serveAt(app.getHttpServer(), first);
  await app.init();
  await openDoors(app.getHttpServer(), { host, port: first.number });
  for (const port of others) {
    const server = edgeServer(app.getHttpAdapter().getInstance() as RequestListener);
    app.get(Connections).watch(server);
    serveAt(server, port);
    await openDoors(server, { host, port: port.number });
  }
}

/** Express reads these once, when its router is made, which the adapter's constructor does. */
function literalExpress(proxyHops: number): Express {
  const server = express();
  server.set('trust proxy', proxyHops);
  server.enable('strict routing');
  server.enable('case sensitive routing');
  // Of all that fits into a target. By default what stands behind the thousandth & would not be there.
  server.set('query parser', (text: string) => parseQuery(text, '&', '=', { maxKeys: 0 }));
  server.disable('x-powered-by');
  server.disable('etag');
  return server;
}

/** Helmet's headers are the same for each answer, so they are computed once. Pages set others on top. */
export function sayTheSameToAll(production: boolean) {
  const said: [string, string][] = [];
  const answer = {
    setHeader: (name: string, value: string) => said.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: production ? [] : null } },
    hsts: production,
  })({} as Request, answer as unknown as Response, () => undefined);
  return (_: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of said) response.setHeader(name, value);
    next();
  };
}

const OF_WHO_WATCHES = /^\/(?:health\/|metrics$)/;

/** Only who watches the process is still served: whatever else begins now is for another process. */
function refuseWhileStopping(stopping: Stopping) {
  return (request: Request, _: Response, next: NextFunction): void => {
    if (!stopping.begun || OF_WHO_WATCHES.test(request.path)) return next();
    next(
      new Refusal('service_unavailable', 'This process is stopping. Nothing was done: send the same request again.'),
    );
  };
}
