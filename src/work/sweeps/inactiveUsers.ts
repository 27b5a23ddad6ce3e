/** Enrols who has done nothing for two weeks. A run keeps how far it has come: the last activity of those it has looked at. */
import type { ContextOf } from '../../commands/context.ts';
import { enrol } from '../../commands/sequence/enrolments.ts';
import { sequenceStream } from '../../domain/sequence/sequence.ts';
import { type Position, UnreadableEvent } from '../../eventStore/eventStore.ts';
import { INACTIVE_DAYS } from '../../model/sequences.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';

type QuietUser = { readonly userId: string; readonly lastActiveAt: string };

export type InactiveUsersDeps = {
  readonly context: ContextOf;
  /** Whether the lists know the log up to there; waits a little for it. */
  readonly reached: (position: Position) => Promise<boolean>;
  /** Ids of the sequences that begin so. */
  readonly activeSequences: () => Promise<readonly string[]>;
  /** Whose last activity lies between these times, in its order: some of them, and where to go on. */
  readonly listQuiet: (
    range: { readonly after: string; readonly upTo: string },
    cursor: string | null,
  ) => Promise<{ readonly users: readonly QuietUser[]; readonly cursor: string | null }>;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Of a clock that was set back, so much is looked through again. */
const AGAIN_MS = 30 * DAY_MS;

export function createInactiveUsers({ context, reached, activeSequences, listQuiet }: InactiveUsersDeps): Sweep {
  return {
    name: 'inactiveUsers',
    everyMs: 10 * 60_000,
    async run(kept, signal) {
      const ctx = context(null);
      const upTo = ago(ctx.now(), INACTIVE_DAYS * DAY_MS);
      const after = kept === null || kept <= upTo ? (kept ?? '') : ago(upTo, AGAIN_MS);
      if (!(await reached(await ctx.store.head()))) return { done: 0, kept };
      const sequences = await activeSequences();
      let done = 0;
      const passedOver: Error[] = [];
      for (let cursor: string | null = null; sequences.length > 0; ) {
        const page = await listQuiet({ after, upTo }, cursor);
        for (const { userId, lastActiveAt } of page.users) {
          if (signal.aborted) return { done, kept, passedOver };
          const triggeredAt = new Date(Date.parse(lastActiveAt) + INACTIVE_DAYS * DAY_MS).toISOString();
          for (const sequenceId of sequences) {
            const enrolling = { userId, sequenceId, trigger: 'inactive_14_days', triggeredAt } as const;
            const enrolled = await enrol(context(null), enrolling).catch((error: unknown) => unreadable(error, sequenceId));
            if (enrolled instanceof Error) passedOver.push(enrolled);
            else if (enrolled) done += 1;
          }
        }
        cursor = page.cursor;
        if (cursor === null) break;
      }
      return { done, kept: upTo, passedOver };
    },
  };
}

/** A user of whom nothing can be said holds up none of the others; of a sequence none gets a mail without it. */
function unreadable(error: unknown, sequenceId: string): Error {
  if (error instanceof UnreadableEvent && error.stream !== sequenceStream(sequenceId)) return error;
  throw error;
}
