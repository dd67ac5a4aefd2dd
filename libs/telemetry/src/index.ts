export { type Log, log, NestLog, setLogLevel } from './log';
export { loopWatch } from './loop-watch';
export { metrics, metricsRegistry } from './metrics';
