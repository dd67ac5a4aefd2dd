/**
 * Shut while this process is of a version that must not touch the database: it then serves nobody and takes no work, and
 * rests once what was under way is done. It opens again if the newer version came to nothing.
 */
import { log } from '#libs/telemetry';

type Listener = (isSo: boolean) => void;

export class VersionGate {
  private readonly onShut: Listener[] = [];
  private readonly onRest: Listener[] = [];
  private shut = false;
  private resting = false;
  private underWay = 0;
  private shutting = new AbortController();

  get isShut(): boolean {
    return this.shut;
  }

  /** Ends what is long: whoever takes the database over waits for all that is under way. One that was aborted stays so. */
  get signal(): AbortSignal {
    return this.shutting.signal;
  }

  /** Told of every change, both ways. At first it is open. */
  onChange(listener: Listener): void {
    this.onShut.push(listener);
  }

  /** Told once it is shut and nothing is under way any more, and when that is over. */
  onResting(listener: Listener): void {
    this.onRest.push(listener);
  }

  set(shut: boolean): void {
    if (this.shut === shut) return;
    this.shut = shut;
    if (shut) log.error({ event: 'version.outdated' }, 'a newer version takes the database over: stop this process');
    else log.warn({ event: 'version.current' }, 'the newer version did not come: this process goes on');
    if (shut) this.shutting.abort();
    else this.shutting = new AbortController();
    for (const listener of this.onShut) listener(shut);
    this.settle();
  }

  /** Something is under way until the function that is returned is called. */
  enter(): () => void {
    this.underWay += 1;
    return () => {
      this.underWay -= 1;
      this.settle();
    };
  }

  private settle(): void {
    const resting = this.shut && this.underWay === 0;
    if (this.resting === resting) return;
    this.resting = resting;
    for (const listener of this.onRest) listener(resting);
  }
}
