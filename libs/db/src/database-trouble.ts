/**
 * The one place that says which failures are the database's own: it is away, it refuses, it cannot write. Nothing is wrong
 * then with what was asked for, and the same may be asked again. Every other error is about the statement.
 */
export type TroubleKind =
  /** The connection was lost, or there is none to be had. */
  | 'away'
  /** It answers, and takes no connection or has no room to work: too many connections, out of memory. */
  | 'refuses'
  /** All connections of this process are in use, and none came free in time. */
  | 'busy'
  /** A lock was not to be had, or a statement took too long. Others may be well. */
  | 'timeout'
  /** The thing it worked on was deleted meanwhile, such as a client that was reset: if it asks again, it finds that out. */
  | 'gone'
  | 'read_only'
  | 'full'
  /** It writes, and its commits wait for a standby that confirms nothing. */
  | 'unconfirmed'
  /** It may have forgotten something, and is not used before it is marked (ADR 129). */
  | 'unmarked'
  /** It belongs to a newer version of this code. */
  | 'outdated';

export class DatabaseTrouble extends Error {
  readonly code: string | undefined;

  constructor(
    readonly kind: TroubleKind,
    cause: Error,
  ) {
    super(cause.message, { cause });
    this.name = 'DatabaseTrouble';
    this.code = codeOf(cause);
  }

  /** It would meet everybody else who asks now. A lock that is held, or one slow statement, need not. */
  get isEverybodys(): boolean {
    return this.kind !== 'timeout' && this.kind !== 'gone';
  }

  /** Somebody held what it needs, or took it away: nothing was done. A statement that took too long may take as long again. */
  get isHeld(): boolean {
    return this.kind === 'gone' || (this.kind === 'timeout' && this.code !== STATEMENT_TOO_LONG);
  }
}

/**
 * The connection was lost while a transaction was being committed: it may be done, and it may not. It must never be done
 * again without a look at what there is; see Db.foundAgain.
 */
export class CommitUnknown extends DatabaseTrouble {
  constructor(cause: Error) {
    super('away', cause);
    this.name = 'CommitUnknown';
  }
}

/** Of a row that was there a moment ago. Rows go only when their client is reset. */
export const goneMeanwhile = (what: string): DatabaseTrouble =>
  new DatabaseTrouble('gone', new Error(`${what} is gone: its client was reset.`));

/** null for an error that speaks of the statement. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  if (error instanceof DatabaseTrouble) return error;
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  const cause = error as Error;
  const kind = kindOf(cause);
  return kind && new DatabaseTrouble(kind, cause);
}

/** It was undone because of what others did at the same moment, or a standby replayed: nothing is wrong with it, and it is done again. */
export function gaveWay(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '40P01' || code === '40001';
}

/**
 * A newer version changed the table, and what the connection prepared answers with other columns than it said. Nothing was
 * done; only on this connection will it never be done either. Not by the message, which may be in any language.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * The connection did not prepare what it thinks it did: somebody took it back, or it left together with a statement that
 * failed, and was not looked at. This connection alone is of no more use.
 */
export function isUnprepared(error: unknown): boolean {
  return ((error ?? {}) as { code?: unknown }).code === '26000';
}

/** An error that kept a connection from being made is the database's trouble, whatever it says. */
export function connectTrouble(error: Error): DatabaseTrouble {
  return troubleOf(error) ?? new DatabaseTrouble('refuses', error);
}

function kindOf(error: Error): TroubleKind | null {
  const code = codeOf(error);
  if (code === undefined) return BY_MESSAGE.find(([words]) => words.test(error.message))?.[1] ?? null;
  return BY_CODE[code] ?? BY_CLASS[code.length === 5 ? code.slice(0, 2) : ''] ?? byPlace(code, error);
}

/** Codes that mostly speak of the statement: where PostgreSQL met the error tells whether this one does. */
function byPlace(code: string, error: Error & { file?: string; routine?: string }): TroubleKind | null {
  if (OF_NETWORK.test(code)) return 'away';
  if (BY_ROUTINE[code]?.test(error.routine ?? '')) return 'read_only';
  return OF_ITS_FILES.codes.includes(code) && OF_ITS_FILES.sources.test(error.file ?? '') ? 'refuses' : null;
}

/** Cancelled, as by statement_timeout. */
const STATEMENT_TOO_LONG = '57014';

/** SQLSTATE, or Node's name of a failure. */
const BY_CODE: Record<string, TroubleKind> = {
  '23503': 'gone', // a row that refers to one that is no more
  '25006': 'read_only',
  '25P03': 'away', // idle in a transaction for too long
  '25P04': 'away', // the transaction took too long
  '40003': 'away', // statement completion unknown
  '53100': 'full',
  '55P03': 'timeout', // lock not available
  [STATEMENT_TOO_LONG]: 'timeout',
  EMFILE: 'refuses',
  ENFILE: 'refuses',
};

const BY_CLASS: Record<string, TroubleKind> = {
  '08': 'away', // connection exception
  '53': 'refuses', // insufficient resources, too many connections among them
  '57': 'away', // operator intervention: shutting down, starting up
  '58': 'refuses', // system error: a file that is gone, or cannot be read
  F0: 'refuses', // its configuration
};

/** Node's other errors of an open connection: of the network, or of its encryption. */
const OF_NETWORK = /^(E[A-Z]{3,}[0-9]?|EAI_[A-Z]+|ERR_(STREAM|SOCKET|SSL|TLS)_[A-Z_]+)$/;

/**
 * 54000: it takes no more writes, because it ran out of numbers for transactions. 0A000: a standby has no unlogged tables, and
 * says so before it says that it is read-only.
 */
const BY_ROUTINE: Record<string, RegExp> = {
  '54000': /^GetNew(TransactionId|MultiXactId)$/,
  '0A000': /^get_relation_info$/,
};

/** A quota is an internal error to PostgreSQL, and a disk that became read-only a privilege that is missing. */
const OF_ITS_FILES = { codes: ['XX000', '42501'], sources: /^(fd|md|smgr|buffile|slru|xlog|copydir|fileset)\.c$/ };

/** The driver's own words carry no code. */
const BY_MESSAGE: [RegExp, TroubleKind][] = [
  [/^timeout exceeded when trying to connect$/, 'busy'],
  [
    /^Connection terminated|is not queryable$|^Query read timeout$|^timeout expired$|^Cannot use a pool after calling end|^Received unexpected .* from backend/,
    'away',
  ],
];

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
