/** Redone parts of each audit and their outcomes: the latest per subject. Deleted with the job. */
import type { DataOf } from '../domain/stored/eventOf.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

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
export type ReworksDocument = {
  readonly jobId: string;
  readonly userId: string;
  readonly reworks: Readonly<Record<string, Rework>>;
};

export const reworks = projection<ReworksDocument>()({
  name: 'reworks',
  version: 1,
  indexes: [['userId']],
  keys: ({ data }) => [data.jobId],
  on: {
    PlanRegenerationAsked: (document, { data }) => asked(document, data, { what: 'plan', actionId: null }),
    SummaryAsked: (document, { data }) => asked(document, data, { what: 'summary', actionId: null }),
    VerificationAsked: (document, { data }) => asked(document, data, { what: 'verification', actionId: data.actionId }),
    ReworkDone: (document, { data }) =>
      ended(document, data, { status: 'done', failure: null, by: data.by, endedAt: data.doneAt }),
    ReworkGivenUp: (document, { data }) => {
      const { code, reason, givenUpAt } = data;
      // Requested while the job was being deleted: nothing to report.
      if (code === 'JOB_NOT_FOUND') return null;
      return ended(document, data, { status: 'failed', failure: { code, reason }, by: null, endedAt: givenUpAt });
    },
    JobDeleted: () => null,
  },
});

function asked(
  document: ReworksDocument | null,
  { reworkId, jobId, userId, ask, askedAt }: DataOf<'PlanRegenerationAsked' | 'SummaryAsked' | 'VerificationAsked'>,
  subject: Pick<Rework, 'what' | 'actionId'>,
): ReworksDocument {
  const rework: Rework = { ...subject, ask, status: 'pending', failure: null, by: null, askedAt, endedAt: null };
  return { jobId, userId, reworks: { ...document?.reworks, [reworkId]: rework } };
}

function ended(
  document: ReworksDocument | null,
  { reworkId }: DataOf<'ReworkDone' | 'ReworkGivenUp'>,
  end: Pick<Rework, 'status' | 'failure' | 'by' | 'endedAt'>,
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
