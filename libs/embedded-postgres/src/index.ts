export { backUpCluster } from './back-up-cluster';
export { refuseWhileItRuns, restoreCluster } from './restore-cluster';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start-embedded-postgres';
