/** Stored events of redone parts of finished audits. */
import * as z from 'zod';
import type { ReworkEvent } from '../rework/events.ts';
import { at, count, id } from './fields.ts';
import { modelUse } from './modelUse.ts';
import { type StoredTypes, stored } from './storedType.ts';

const rework = { reworkId: id, ask: count, jobId: id, userId: id };
const OF_REWORK = ['reworkId', 'jobId', 'userId'] as const;

export const REWORK_TYPES = {
  PlanRegenerationAsked: stored(z.strictObject({ ...rework, askedAt: at }), OF_REWORK),
  SummaryAsked: stored(z.strictObject({ ...rework, askedAt: at }), OF_REWORK),
  VerificationAsked: stored(z.strictObject({ ...rework, actionId: id, askedAt: at }), [...OF_REWORK, 'actionId']),
  ReworkStarted: stored(z.strictObject({ ...rework, attempt: count, startedAt: at }), OF_REWORK),
  ReworkModelAsked: stored(z.strictObject({ ...rework, attempt: count, ...modelUse, recordedAt: at }), OF_REWORK),
  ReworkDone: stored(z.strictObject({ ...rework, attempt: count, by: z.string().nullable(), prompt: id.exactOptional(), doneAt: at }), OF_REWORK),
  ReworkGivenUp: stored(z.strictObject({ ...rework, code: z.string(), reason: z.string(), givenUpAt: at }), OF_REWORK),
} satisfies StoredTypes<ReworkEvent>;
