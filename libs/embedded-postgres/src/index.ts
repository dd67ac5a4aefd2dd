export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start-embedded-postgres';
