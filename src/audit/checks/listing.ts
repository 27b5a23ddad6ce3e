/** Gathers the faults of a site, of which a hostile one may have hundreds of thousands. */
import type { Fault, ListedFaults } from './check.ts';
import { THRESHOLDS } from './thresholds.ts';

/** Equal for identical faults at the same place. */
export function faultKey({ evidence: { url, place, value }, message }: Fault): string {
  return [url, place, value, message].join('\n');
}

/** Keeps as many faults as findings can be listed, each once. Further ones are only counted, and never written. */
export class Listing implements ListedFaults {
  readonly #faults = new Map<string, Fault>();
  #unlisted = 0;

  add(write: () => Fault): void {
    if (this.#faults.size >= THRESHOLDS.findingsPerCheck) {
      this.#unlisted += 1;
      return;
    }
    const fault = write();
    const key = faultKey(fault);
    if (!this.#faults.has(key)) this.#faults.set(key, fault);
  }

  /** Faults that nobody wrote down. */
  countUnlisted(count: number): void {
    this.#unlisted += count;
  }

  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  get unlisted(): number {
    return this.#unlisted;
  }
}
