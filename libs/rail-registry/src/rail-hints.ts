/** Carries a rail's "there is news about this railKey" to whoever follows payouts. */
type HintListener = (railName: string, railKey: string, inSeconds: number) => Promise<void>;

export class RailHints {
  private listener: HintListener | null = null;

  follow(listener: HintListener): void {
    this.listener = listener;
  }

  async hint(railName: string, railKey: string, inSeconds = 0): Promise<void> {
    await this.listener?.(railName, railKey, inSeconds);
  }
}
