import { CommitUnknown, connectTrouble, DatabaseTrouble, troubleOf } from './database-trouble';

const failure = (code: string | undefined, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('what counts as trouble of the database', () => {
  test.each([
    ['53300', 'refuses'], // too many connections
    ['53200', 'refuses'],
    ['53100', 'full'],
    ['55P03', 'timeout'],
    ['57014', 'timeout'],
    ['25006', 'read_only'],
    ['57P01', 'away'],
    ['57P02', 'away'],
    ['57P03', 'away'],
    ['57P05', 'away'],
    ['25P03', 'away'],
    ['08006', 'away'],
    ['08P01', 'away'],
    ['ECONNREFUSED', 'away'],
    ['ECONNRESET', 'away'],
    ['EPIPE', 'away'],
    ['ENOTFOUND', 'away'],
    ['EMFILE', 'refuses'],
    ['EPROTO', 'away'],
    ['EADDRNOTAVAIL', 'away'],
    ['EAI_AGAIN', 'away'],
    ['ERR_STREAM_DESTROYED', 'away'],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'away'],
    ['57P04', 'away'],
    ['25P04', 'away'],
    ['53000', 'refuses'],
    ['53400', 'refuses'],
    ['58000', 'refuses'],
    ['58030', 'refuses'],
    ['58P01', 'refuses'], // a file of its own is gone
    ['F0000', 'refuses'],
  ])('%s: %s', (code, kind) => {
    expect(troubleOf(failure(code))).toMatchObject({ kind, code, message: 'x' });
  });

  test.each([
    ['54000', { routine: 'GetNewTransactionId' }, 'read_only'], // no number is left for a transaction
    ['54000', { routine: 'GetNewMultiXactId' }, 'read_only'],
    ['54000', { routine: 'index_form_tuple' }, null],
    ['0A000', { routine: 'get_relation_info' }, 'read_only'], // a standby, asked for an unlogged table
    ['0A000', { routine: 'RevalidateCachedQuery' }, null],
    ['XX000', { file: 'md.c' }, 'refuses'], // a quota
    ['XX000', { file: 'heapam.c' }, null],
    ['42501', { file: 'fd.c' }, 'refuses'], // a disk that became read-only
    ['42501', { file: 'aclchk.c' }, null],
  ])('%s, met at %o: %s', (code, place, kind) => {
    expect(troubleOf(Object.assign(failure(code), place))?.kind ?? null).toBe(kind);
  });

  test.each([
    ['timeout exceeded when trying to connect', 'busy'],
    ['Connection terminated unexpectedly', 'away'],
    ['Connection terminated due to connection timeout', 'away'],
    ['Client has encountered a connection error and is not queryable', 'away'],
    ['Client was closed and is not queryable', 'away'],
    ['Query read timeout', 'away'],
    ['Received unexpected dataRow message from backend.', 'away'],
    ['Cannot use a pool after calling end on the pool', 'away'],
  ])('the driver’s own "%s": %s', (message, kind) => {
    expect(troubleOf(failure(undefined, message))).toMatchObject({ kind });
  });

  test.each(['23505', '40P01', '42501', '42P01', '22021', '40001', '28P01'])('%s is about the statement', (code) => {
    expect(troubleOf(failure(code, 'Connection terminated'))).toBeNull();
  });

  test('what else is thrown is not the database’s', () => {
    for (const thrown of [new Error('no'), 'no', null, undefined, 57]) expect(troubleOf(thrown)).toBeNull();
  });

  test('whatever keeps a connection from being made is', () => {
    expect(connectTrouble(failure('28P01'))).toMatchObject({ kind: 'refuses' });
    expect(connectTrouble(failure('ECONNREFUSED'))).toMatchObject({ kind: 'away' });
  });

  test('only a held lock or a slow statement is not everybody’s', () => {
    expect(troubleOf(failure('55P03'))?.isEverybodys).toBe(false);
    expect(troubleOf(failure('23503'))).toMatchObject({ kind: 'gone', isEverybodys: false, isHeld: true });
    expect(troubleOf(failure('53100'))?.isEverybodys).toBe(true);
    expect(new CommitUnknown(failure('08007')).isEverybodys).toBe(true);
    expect(new CommitUnknown(failure('08007'))).toBeInstanceOf(DatabaseTrouble);
  });
});
