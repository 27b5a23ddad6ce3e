/** Enrolls users who have been inactive for two weeks. The state is the last activity of the users processed so far. */

import type { ContextOf } from '../../commands/context.ts';
import { enrol } from '../../commands/sequence/enrolments.ts';
import { sequenceStream } from '../../domain/sequence/events.ts';
import { UnreadableEvent } from '../../eventStore/eventStore.ts';
import { INACTIVE_DAYS } from '../../model/sequences.ts';
import type { ReadAsOf } from '../known.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';

type QuietUser = { readonly userId: string; readonly lastActiveAt: string };

type QuietPage = { readonly users: readonly QuietUser[]; readonly cursor: string | null };

export type InactiveUsersDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  /** Ids of the sequences triggered by it. */
  readonly activeSequences: () => Promise<readonly string[]>;
  /** Users whose last activity lies between these times, ordered by it: a page, and where to continue. */
  readonly listQuiet: (
    range: { readonly after: string; readonly upTo: string },
    cursor: string | null,
  ) => Promise<QuietPage>;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How far to go back if the clock was set back. */
const AGAIN_MS = 30 * DAY_MS;

export function createInactiveUsers({ context, asOf, activeSequences, listQuiet }: InactiveUsersDeps): Sweep {
  return {
    name: 'inactiveUsers',
    everyMs: 10 * 60_000,
    async run(kept, signal) {
      const ctx = context(null);
      const upTo = ago(ctx.now(), INACTIVE_DAYS * DAY_MS);
      const after = kept === null || kept <= upTo ? (kept ?? '') : ago(upTo, AGAIN_MS);
      const head = await ctx.store.head();
      const sequences = (await asOf(head, activeSequences))?.answer;
      let done = 0;
      if (!sequences) return { done, kept };
      const passedOver: Error[] = [];
      for (let cursor: string | null = null; sequences.length > 0; ) {
        const from: string | null = cursor;
        const page: QuietPage | undefined = (await asOf(head, () => listQuiet({ after, upTo }, from)))?.answer;
        if (!page) return { done, kept, passedOver };
        for (const { userId, lastActiveAt } of page.users) {
          if (signal.aborted) return { done, kept, passedOver };
          const triggeredAt = new Date(Date.parse(lastActiveAt) + INACTIVE_DAYS * DAY_MS).toISOString();
          for (const sequenceId of sequences) {
            const enrolling = { userId, sequenceId, trigger: 'inactive_14_days', triggeredAt } as const;
            const enrolled = await enrol(context(null), enrolling).catch((error: unknown) =>
              unreadable(error, sequenceId),
            );
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

/** A user who cannot be processed does not hold up others; an unreadable sequence sends no email. */
function unreadable(error: unknown, sequenceId: string): Error {
  if (error instanceof UnreadableEvent && error.stream !== sequenceStream(sequenceId)) return error;
  throw error;
}
