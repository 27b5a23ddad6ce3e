/** Redone parts of each audit and their outcomes: the latest per subject. Deleted with the job. */
import type { ReworkSubject } from '../domain/rework/rework.ts';
import type { DataOf } from '../domain/stored/eventOf.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type Rework = {
  readonly id: string;
  readonly job_id: string;
  readonly what: 'actions' | 'summary' | 'verification';
  /** Set for verifications only. */
  readonly action_id: string | null;
  /** Number of requests; the other fields describe the latest. */
  readonly ask: number;
  readonly status: 'pending' | 'done' | 'failed';
  /** Why it was given up: a code and a text. */
  readonly code: string | null;
  readonly error: string | null;
  readonly asked_at: string;
  readonly ended_at: string | null;
  /** Author of the text, once it is done. */
  readonly by: string | null;
};

/** One per job, under its id. */
export type ReworksDocument = { readonly userId: string; readonly reworks: Readonly<Record<string, Rework>> };

export const reworks = projection<ReworksDocument>()({
  name: 'reworks',
  version: 2,
  shape: 2,
  indexes: [['userId']],
  keys: ({ data }) => [data.jobId],
  on: {
    PlanRegenerationAsked: (document, { data }) => asked(document, data, { what: 'plan' }),
    SummaryAsked: (document, { data }) => asked(document, data, { what: 'summary' }),
    VerificationAsked: (document, { data }) => asked(document, data, { what: 'verification', actionId: data.actionId }),
    ReworkDone: (document, { data }) => ended(document, data, { status: 'done', by: data.by, ended_at: data.doneAt }),
    ReworkGivenUp: (document, { data }) => {
      const { code, reason, givenUpAt } = data;
      // Requested while the job was being deleted: nothing to report.
      if (code === 'JOB_NOT_FOUND') return null;
      return ended(document, data, { status: 'failed', code, error: reason, ended_at: givenUpAt });
    },
    JobDeleted: () => null,
  },
});

type Asked = Pick<DataOf<'SummaryAsked'>, 'reworkId' | 'jobId' | 'ask' | 'askedAt'>;

/** As it is when it has just been requested. */
export function pendingRework({ reworkId, jobId, ask, askedAt }: Asked, subject: ReworkSubject): Rework {
  return {
    id: reworkId,
    job_id: jobId,
    what: subject.what === 'plan' ? 'actions' : subject.what,
    action_id: subject.what === 'verification' ? subject.actionId : null,
    ask,
    status: 'pending',
    code: null,
    error: null,
    asked_at: askedAt,
    ended_at: null,
    by: null,
  };
}

function asked(
  document: ReworksDocument | null,
  data: Asked & { readonly userId: string },
  subject: ReworkSubject,
): ReworksDocument {
  return {
    userId: data.userId,
    reworks: { ...document?.reworks, [data.reworkId]: pendingRework(data, subject) },
  };
}

function ended(
  document: ReworksDocument | null,
  { reworkId }: DataOf<'ReworkDone' | 'ReworkGivenUp'>,
  end: Partial<Rework>,
): ReworksDocument | null {
  const rework = document?.reworks[reworkId];
  return document && rework
    ? { ...document, reworks: { ...document.reworks, [reworkId]: { ...rework, ...end } } }
    : document;
}

/** Null if no part of the audit was ever redone. */
export function getReworks(readModels: ReadModels, jobId: string): Promise<StoredDocument<ReworksDocument> | null> {
  return readModels.get('reworks', jobId);
}
