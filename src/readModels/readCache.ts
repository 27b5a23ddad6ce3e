/**
 * What was read from one build since its documents last changed, so that the same question is answered without the database.
 * Answers are shared between readers: they are frozen, whoever wants to change one makes a copy.
 */

export type ReadCache = {
  get(key: string): object | undefined;
  /** `chars`: length of the JSON behind the answer. What is too large is not kept, what is oldest makes room. */
  keep<T extends object>(key: string, answer: T, chars: number): T;
  /** Call whenever a document of the build is written. */
  clear(): void;
};

/** JSON in one cache, in characters: some thousand answers about a single document, or some dozen long lists. */
const MAX_CHARS = 2_000_000;
/** One answer may not drive out most of the others. */
const MAX_ANSWER_CHARS = 250_000;
/** What an answer takes even when it is empty. */
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

/** The value and all its parts, never to change again. */
export function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}
