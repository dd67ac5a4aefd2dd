// What somebody typed and gw does not understand: told in one line, with where to read on.
export class UsageError extends Error {}
