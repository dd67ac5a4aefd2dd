import type { ServerResponse } from 'node:http';
import { type AnswerUnderWay, UntakenAnswers } from './untaken-answers';

const ROOM = 10;

describe('answers that nobody takes', () => {
  let answers: (AnswerUnderWay & { name: string })[];
  let untaken: UntakenAnswers;
  beforeEach(() => {
    answers = [];
    untaken = new UntakenAnswers(() => answers, ROOM);
  });

  /** Of so many bytes, none of which left yet. */
  const answer = (name: string, caller: string | undefined, writableLength: number): void => {
    const response = {
      ...{ headersSent: true, writableLength },
      destroy: () => (answers = answers.filter((one) => one.name !== name)),
    };
    answers.push({ name, caller, response: response as unknown as ServerResponse });
  };
  const left = (): string[] => answers.map(({ name }) => name);

  test('stay while all of them fit', () => {
    for (const nth of ['1', '2', '3']) answer(`a${nth}`, 'a', 3);
    untaken.look(0);
    expect(left()).toEqual(['a1', 'a2', 'a3']);
  });

  test('go where they are too much, of whoever has most of it, and the first of them first', () => {
    answer('b1', 'b', 3);
    for (const nth of ['1', '2']) answer(`a${nth}`, 'a', 3);
    untaken.look(0);
    answers.push(...answers.splice(1, 1)); // whichever way they come
    answer('a3', 'a', 3);
    answer('a4', 'a', 3);
    untaken.look(1);
    expect(left().sort()).toEqual(['a3', 'a4', 'b1']);
  });

  test('of strangers are the same bytes for all of them, and what is taken already is nobody’s', () => {
    for (const nth of ['1', '2', '3']) answer(`stranger${nth}`, undefined, ROOM);
    answer('taken', 'a', 0);
    answer('a1', 'a', ROOM);
    untaken.look(0);
    expect(left()).toHaveLength(5);
  });

  test('one that is larger than all the room goes as well', () => {
    answer('a1', 'a', ROOM + 1);
    answer('b1', 'b', 1);
    untaken.look(0);
    expect(left()).toEqual(['b1']);
  });
});
