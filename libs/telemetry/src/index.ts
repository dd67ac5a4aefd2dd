export { type Log, log, NestLog, setLogLevel } from './log';
export { inLogContext } from './log-context';
export { loopWatch } from './loop-watch';
export { metrics, metricsRegistry } from './metrics';
