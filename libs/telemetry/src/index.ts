export { type Log, log, NestLog, setLogLevel } from './log';
export { metrics, metricsRegistry } from './metrics';
