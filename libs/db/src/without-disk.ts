/**
 * A column of a statement whose transaction is committed without waiting for the disk: should PostgreSQL crash within the next
 * moments, it may be as if it had never been. For what somebody would then do again, and nobody minds. Whatever is committed after it,
 * and waits, is on the disk behind it: so nothing that builds on it outlives it.
 */
export const COMMITS_WITHOUT_DISK = `set_config('synchronous_commit', 'off', true)`;
