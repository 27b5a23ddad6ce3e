/**
 * Results read from one build since its documents last changed, so that a repeated query needs no database.
 * Results are shared between readers and therefore frozen: copy one before changing it.
 */

export type ReadCache = {
  get(key: string): object | undefined;
  /** `chars`: length of the JSON behind the result. Results that are too large are not kept; the oldest are evicted. */
  keep<T extends object>(key: string, answer: T, chars: number): T;
  /** Call whenever a document of the build is written. */
  clear(): void;
};

/** JSON characters per cache: a few thousand results with a single document, or a few dozen long lists. */
const MAX_CHARS = 2_000_000;
/** A single result may not evict most of the others. */
const MAX_ANSWER_CHARS = 250_000;
/** The cost of even an empty result. */
const ENTRY_CHARS = 200;

export function createReadCache(maxChars = MAX_CHARS, maxAnswerChars = MAX_ANSWER_CHARS): ReadCache {
  const answers = new Map<string, { readonly answer: object; readonly chars: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= answers.get(key)?.chars ?? 0;
    answers.delete(key);
  }

  return {
    get: (key) => answers.get(key)?.answer,
    keep: (key, answer, jsonChars) => {
      const chars = jsonChars + key.length + ENTRY_CHARS;
      if (chars > maxAnswerChars) return answer;
      remove(key);
      answers.set(key, { answer: freeze(answer), chars });
      total += chars;
      for (const oldest of answers.keys()) {
        if (total <= maxChars) break;
        remove(oldest);
      }
      return answer;
    },
    clear: () => {
      answers.clear();
      total = 0;
    },
  };
}

/** Freezes the value and all its parts. */
export function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}
