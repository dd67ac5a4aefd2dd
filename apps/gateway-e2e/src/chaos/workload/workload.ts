/** Several actors who do one deed after the other, each by random numbers of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../harness/seeded-random';
import type { World } from '../world/world';
import { Caller } from './caller';
import { castOf } from './cast';
import { DEEDS as MOST_DEEDS, type Deed, type Scene } from './deeds';
import { linkRows } from './link';
import { Model } from './model';
import { operatorWords } from './operator-words';

const ACTORS = 5;
const DEEDS: [weight: number, deed: Deed][] = [...MOST_DEEDS, [4, linkRows]];
const BREATH_MS = 300;

export class Workload {
  readonly model: Model;
  readonly caller: Caller;
  /** What an actor gave up over: nobody answered it for minutes. */
  readonly givenUp: string[] = [];
  private working: Promise<void>[] = [];
  private going = true;

  constructor(
    world: World,
    private readonly seed: number,
  ) {
    this.model = new Model(world.chronicle);
    this.caller = new Caller(world, this.model);
  }

  prepare(): Promise<void> {
    return castOf(this.caller, this.model);
  }

  start(): void {
    this.working = Array.from({ length: ACTORS }, (_, index) =>
      this.act(index).catch((error: Error) => void this.givenUp.push(error.message)),
    );
  }

  /** Those who are at something see it through. */
  async stop(): Promise<void> {
    this.going = false;
    await Promise.all(this.working);
  }

  /** For an actor of this number. */
  scene(index: number): Scene {
    const { caller, model } = this;
    let words = 0;
    const unique = (): string => `${index}-${(words += 1)}`;
    return {
      caller,
      model,
      operator: operatorWords(caller, model),
      random: seededRandom(this.seed * 31 + index),
      unique,
    };
  }

  private async act(index: number): Promise<void> {
    const scene = this.scene(index);
    const { random } = scene;
    while (this.going) {
      await chosen(random)(scene);
      await pause(random() * BREATH_MS);
    }
  }
}

function chosen(random: () => number): Deed {
  let left = random() * DEEDS.reduce((sum, [weight]) => sum + weight, 0);
  const found = DEEDS.find(([weight]) => (left -= weight) < 0);
  return (found ?? DEEDS[0])?.[1] as Deed;
}
