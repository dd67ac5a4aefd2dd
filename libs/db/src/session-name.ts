/** Sessions carry the version of their code, so that PostgreSQL can say of which one somebody is connected. */
export const SESSION_NAME = 'payout-gateway';
export const sessionNameOf = (version: number): string => `${SESSION_NAME} ${version}`;

/** The address of a database may name the application, as for somebody's monitoring, and have options: both would win over ours. */
export const bareAddress = (url: string): string => url.replace(/(?<=[?&])(?:application_name|options)=[^&]*&?/g, '');

/** By which a process hears what others say, for as long as it lives. The others it closes when it has nothing to do. */
export const WATCH_NAME = `${SESSION_NAME} watch`;

/** Of `pg_stat_activity`: those of processes that work here, of whatever version, and not of one that only migrates. */
export const OF_OUR_PROCESSES = `datname = current_database() AND application_name ~ '^${SESSION_NAME} [0-9]{13}$'`;
