/** The ports of a process, and what is answered at each: a path that is not served at a port is not there. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import type { Config } from '#libs/config';

type Surface = 'health' | 'metrics' | 'operators' | 'reference' | 'callers';

export interface Port {
  /** The setting that says which it is. */
  setting: 'PORT' | 'WORKER_PORT' | 'OPERATOR_PORT' | 'METRICS_PORT';
  number: number;
  serves: readonly Surface[];
}

type Ports = Pick<Config, 'production' | 'role' | 'port' | 'workerPort' | 'operatorPort' | 'metricsPort'>;

/** Every process answers about itself. A worker serves nobody besides. */
export function portsOf(config: Ports): Port[] {
  const watched: Surface[] = ['health', 'metrics'];
  const metrics = portAt('METRICS_PORT', config.metricsPort, watched);
  if (config.role === 'worker') return [...portAt('WORKER_PORT', config.workerPort, watched), ...metrics];
  const operators: Surface[] = config.operatorPort === null ? ['operators'] : [];
  const open: Surface[] = config.production ? [] : ['metrics'];
  return [
    ...portAt('PORT', config.port, ['health', 'callers', 'reference', ...operators, ...open]),
    ...portAt('OPERATOR_PORT', config.operatorPort, ['health', 'operators', 'reference']),
    ...metrics,
  ];
}

const portAt = (setting: Port['setting'], number: number | null, serves: Surface[]): Port[] =>
  number === null ? [] : [{ setting, number, serves }];

const servedAt = new WeakMap<Server, Port>();

export const serveAt = (server: Server, port: Port): void => void servedAt.set(server, port);

/** The port a request came in by. */
export const portOf = ({ socket }: Request): Port | undefined =>
  servedAt.get((socket as Socket & { server: Server }).server);

/** Whether operators are served where a request came in. */
export const servesOperators = (request: Request): boolean => portOf(request)?.serves.includes('operators') ?? true;

export function onlyWhatIsServed(request: Request, _: Response, next: NextFunction): void {
  const port = portOf(request);
  if (!port || port.serves.includes(surfaceOf(request.path))) return next();
  next(new Refusal('not_found', port.setting === 'WORKER_PORT' ? OF_A_WORKER : ELSEWHERE));
}

const OF_A_WORKER = 'This process works the queues. Ask a process with ROLE=api.';
const ELSEWHERE = 'There is nothing at this path on this port.';

function surfaceOf(path: string): Surface {
  if (path === '/metrics') return 'metrics';
  if (path.startsWith('/health/')) return 'health';
  if (path === '/operator' || path.startsWith('/operator/')) return 'operators';
  return path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/') ? 'reference' : 'callers';
}
