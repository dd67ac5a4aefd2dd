/**
 * A column of a statement whose transaction is committed without waiting for the disk: should PostgreSQL crash within the next moments, it
 * may be as if it had never been. For work that would simply be done again. A later commit that does wait is on the disk behind it: so
 * nothing that builds on it outlives it.
 */
export const COMMITS_WITHOUT_DISK = `set_config('synchronous_commit', 'off', true)`;
