/** Redone parts of each audit and their outcomes: the latest per subject. Deleted with the job. */
import type { JobEvent } from '../domain/job/events.ts';
import type { ReworkEvent } from '../domain/rework/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type Rework = {
  readonly what: 'plan' | 'summary' | 'verification';
  /** Set for verifications only. */
  readonly actionId: string | null;
  /** Number of requests; the other fields describe the latest. */
  readonly ask: number;
  readonly status: 'pending' | 'done' | 'failed';
  /** Why it was given up. */
  readonly failure: { readonly code: string; readonly reason: string } | null;
  /** Author of the text, once it is done. */
  readonly by: string | null;
  readonly askedAt: string;
  readonly endedAt: string | null;
};

/** One per job, under its id. */
export type ReworksDocument = { readonly jobId: string; readonly userId: string; readonly reworks: Readonly<Record<string, Rework>> };

type ReworksEvent = Exclude<ReworkEvent, { readonly type: 'ReworkStarted' | 'ReworkModelAsked' }> | Extract<JobEvent, { readonly type: 'JobDeleted' }>;

export const reworks: Projection<ReworksDocument, ReworksEvent> = {
  name: 'reworks',
  version: 1,
  indexes: [['userId']],
  handles: ['PlanRegenerationAsked', 'SummaryAsked', 'VerificationAsked', 'ReworkDone', 'ReworkGivenUp', 'JobDeleted'],
  keys: (event) => [event.data.jobId],
  evolve(document, event) {
    switch (event.type) {
      case 'PlanRegenerationAsked':
        return asked(document, event, { what: 'plan', actionId: null });
      case 'SummaryAsked':
        return asked(document, event, { what: 'summary', actionId: null });
      case 'VerificationAsked':
        return asked(document, event, { what: 'verification', actionId: event.data.actionId });
      case 'ReworkDone':
        return ended(document, event, { status: 'done', failure: null, by: event.data.by, endedAt: event.data.doneAt });
      case 'ReworkGivenUp': {
        const { code, reason, givenUpAt } = event.data;
        // Requested while the job was being deleted: nothing to report.
        if (code === 'JOB_NOT_FOUND') return null;
        return ended(document, event, { status: 'failed', failure: { code, reason }, by: null, endedAt: givenUpAt });
      }
      case 'JobDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

function asked(
  document: ReworksDocument | null,
  { data }: Recorded<Extract<ReworkEvent, { readonly data: { readonly askedAt: string } }>>,
  subject: Pick<Rework, 'what' | 'actionId'>,
): ReworksDocument {
  const { reworkId, jobId, userId, ask, askedAt } = data;
  const rework: Rework = { ...subject, ask, status: 'pending', failure: null, by: null, askedAt, endedAt: null };
  return { jobId, userId, reworks: { ...document?.reworks, [reworkId]: rework } };
}

function ended(
  document: ReworksDocument | null,
  { data }: Recorded<Extract<ReworkEvent, { readonly type: 'ReworkDone' | 'ReworkGivenUp' }>>,
  end: Pick<Rework, 'status' | 'failure' | 'by' | 'endedAt'>,
): ReworksDocument | null {
  const rework = document?.reworks[data.reworkId];
  return document && rework ? { ...document, reworks: { ...document.reworks, [data.reworkId]: { ...rework, ...end } } } : document;
}

/** Null if no part of the audit was ever redone. */
export function getReworks(readModels: ReadModels, jobId: string): Promise<StoredDocument<ReworksDocument> | null> {
  return readModels.get('reworks', jobId);
}
