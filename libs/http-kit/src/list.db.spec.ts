/** Clients whose changes wait for rows that somebody holds: nobody's lists wait with them (ADR 126). */
import type { ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { onBehalf } from '#libs/db';
import { holding, scratchDb, type ScratchDb } from '#libs/db/testing';
import { InTurn } from './list';

const LOUD = ['ada', 'ben', 'cy'];

describe('lists, while three clients wait', () => {
  let scratch: ScratchDb;
  let letGo: () => Promise<unknown>;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int)');
    await scratch.db.execute('INSERT INTO notes VALUES (1)');
    letGo = await holding(scratch.db, 'SELECT FROM notes FOR UPDATE', []);
  });
  afterAll(async () => {
    await letGo();
    await scratch.drop();
  });

  const inTurn = new InTurn();
  const list = (client: string): Promise<unknown> => {
    const context = { switchToHttp: () => ({ getRequest: () => ({ client: { id: client } }) }) };
    const handle = () => from(scratch.db.rows('SELECT 1'));
    return onBehalf(client, () => firstValueFrom(inTurn.intercept(context as ExecutionContext, { handle })));
  };

  test('are answered, also their own', async () => {
    const ended: string[] = [];
    const end = (how: string) => () => void ended.push(how);
    const change = (): Promise<unknown> => scratch.db.rows('SELECT FROM notes FOR UPDATE');
    const waiting = LOUD.flatMap((client) =>
      Array.from({ length: 10 }, () => onBehalf(client, change).then(end('changed'), end('failed'))),
    );
    const theirs = LOUD.flatMap((client) => [list(client), list(client)]);
    await list('quiet');
    await Promise.all(theirs);
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    expect(ended).toEqual(waiting.map(() => 'changed'));
  });
});
