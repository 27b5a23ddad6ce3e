/**
 * Storage format, version with care. Stream: `rework-{reworkId}`: redoing a part of a finished audit. Contains only ids
 * and none of the findings: these streams remain when the audit is deleted, so that pending work is closed in every
 * log.
 */
import * as z from 'zod';
import { at, count, type EventIn, id } from '../eventSchemas.ts';
import { modelUse } from '../modelUse.ts';

export const reworkStream = (reworkId: string): string => `rework-${reworkId}`;

/** `ask` counts the requests. */
const ofRework = { reworkId: id, ask: count, jobId: id, userId: id };

export const REWORK_EVENTS = {
  /** Regenerate the action items from the stored findings. */
  PlanRegenerationAsked: z.strictObject({ ...ofRework, askedAt: at }),
  /** Rewrite the executive summary. */
  SummaryAsked: z.strictObject({ ...ofRework, askedAt: at }),
  /** Recheck an action item's findings on the site. */
  VerificationAsked: z.strictObject({ ...ofRework, actionId: id, askedAt: at }),
  /** Once per attempt: `attempt` counts across all asks. */
  ReworkStarted: z.strictObject({ ...ofRework, attempt: count, startedAt: at }),
  /** A language model was called for the text: appended together with the end of the attempt, whatever its outcome. */
  ReworkModelAsked: z.strictObject({ ...ofRework, attempt: count, ...modelUse, recordedAt: at }),
  ReworkDone: z.strictObject({
    ...ofRework,
    attempt: count,
    /** The author of the text. */
    by: z.string().nullable(),
    /** The model's prompt, `summary@3`. Absent if no model wrote it, and from earlier versions. */
    prompt: id.exactOptional(),
    doneAt: at,
  }),
  /** `reason` is shown to the owner: the product's own words, since the stream outlives the account. */
  ReworkGivenUp: z.strictObject({ ...ofRework, code: z.string(), reason: z.string(), givenUpAt: at }),
};
export type ReworkEvent = EventIn<typeof REWORK_EVENTS>;
