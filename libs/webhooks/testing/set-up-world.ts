/** For the specs of a file: one world and one receiver, which begins each test again. */
import type { Receiver } from './receiver';
import { startWorld, type World, type WorldOptions } from './world';

export function setUpWorld(receiver: Receiver, ready: (world: World) => void, options?: WorldOptions): void {
  let world: World | undefined;
  beforeAll(async () => {
    await receiver.start();
    world = await startWorld(options);
    ready(world);
  });
  afterAll(async () => {
    await world?.stop();
    await receiver.stop();
  });
  beforeEach(() => receiver.reset());
}
