// Counts what passed, failed and was skipped, and says it at the end.
import { box, dim, green, heading, red, say, yellow } from '../terminal.mjs';

export class Tally {
  passed = 0;
  failed = 0;
  #skipped = 0;
  #leftOut = 0;
  #rows = [];
  #failures = [];

  /** failures: one line for each, and each counts. */
  add(name, passed, failures, duration = '') {
    this.passed += passed;
    this.failed += failures.length;
    this.#failures.push(...failures.map((failure) => `${name}: ${failure}`));
    const count = failures.length > 0 ? red(`${passed} passed, ${failures.length} failed`) : green(`${passed} passed`);
    this.#rows.push(`${name}  ${count}  ${duration}`);
  }

  /** Only for want of a Redis, a browser, a provider's schema, promtool or Python; anything else that is left out has failed. */
  skip(name, reason) {
    this.#skipped += 1;
    this.#rows.push(`${name}  ${yellow(`skipped: ${reason}`)}`);
    say(yellow(`\n${name}: skipped, ${reason}`));
  }

  /** Checks of powers that a rail does not have: they did not pass, and nothing failed. */
  leaveOut(count) {
    this.#leftOut += count;
  }

  expectSome(complaint) {
    if (this.passed + this.failed === 0) this.add('npm test', 0, [complaint]);
  }

  /** Returns the exit code. */
  sumUp() {
    heading('Summary');
    say(box(this.#rows));
    for (const failure of this.#failures) say(`${red('✗')} ${failure}`);
    if (this.#skipped > 0) say(dim(`${this.#skipped} skipped: what they need is not here`));
    if (this.#leftOut > 0) say(dim(`${this.#leftOut} checks skipped: their rails do not have the power`));
    say(`${this.passed} passed, ${this.failed} failed`);
    return this.failed > 0 ? 1 : 0;
  }
}
