/** Stored events of plans: the action items of a job and the work on them. */
import * as z from 'zod';
import { ACTION_STATUSES, VERIFICATION_OUTCOMES } from '../../model/actions.ts';
import { CATEGORIES, DIFFICULTIES, IMPACTS, VERIFIED_STATES } from '../../model/findings.ts';
import type { PlanEvent } from '../plan/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const strings = z.array(z.string()).readonly();

const item = z.strictObject({
  id,
  checkId: z.string(),
  findingIds: strings,
  title: z.string(),
  category: z.enum(CATEGORIES),
  impact: z.enum(IMPACTS),
  difficulty: z.enum(DIFFICULTIES),
  timeEstimate: z.number(),
  businessValue: z.string(),
  timeToResult: z.string(),
  reason: z.string().exactOptional(),
  problem: z.string(),
  solution: z.string(),
  codeExample: z.string().nullable(),
  tags: strings,
  pages: strings,
  evidence: z.array(z.strictObject({ url: z.string(), place: z.string(), value: z.string() })).readonly(),
});
const items = z.array(item).readonly();

const verifiedFinding = z.strictObject({
  findingId: id,
  url: z.string(),
  place: z.string(),
  message: z.string(),
  state: z.enum(VERIFIED_STATES),
  because: z.string().nullable(),
});

const action = { jobId: id, actionId: id };
const OF_ACTION = ['jobId', 'actionId'] as const;

export const PLAN_TYPES = {
  PlanGenerated: stored(z.strictObject({ jobId: id, userId: id, by: z.string(), count, items, generatedAt: at }), ['jobId', 'userId']),
  PlanExtended: stored(z.strictObject({ jobId: id, items }), ['jobId']),
  ActionStarted: stored(z.strictObject({ ...action, startedAt: at }), OF_ACTION),
  ActionCompleted: stored(z.strictObject({ ...action, completedAt: at }), OF_ACTION),
  ActionReopened: stored(z.strictObject({ ...action, reopenedAt: at }), OF_ACTION),
  ActionSetBack: stored(z.strictObject({ ...action, to: z.enum(['todo', 'in-progress']), setBackAt: at }), OF_ACTION),
  ActionMoveUndone: stored(
    z.strictObject({
      ...action,
      status: z.enum(ACTION_STATUSES),
      startedAt: at.nullable(),
      completedAt: at.nullable(),
      undoneAt: at,
    }),
    OF_ACTION,
  ),
  ActionNoted: stored(z.strictObject({ ...action, notes: z.string().nullable(), notedAt: at }), OF_ACTION),
  ActionRated: stored(z.strictObject({ ...action, rating: z.number().nullable(), ratedAt: at }), OF_ACTION),
  ActionVerified: stored(
    z.strictObject({
      ...action,
      verifiedAt: at,
      outcome: z.enum(VERIFICATION_OUTCOMES),
      fixed: count,
      stillThere: count,
      notChecked: count,
      stillThereAt: z.array(z.strictObject({ url: z.string(), place: z.string(), message: z.string() })).readonly(),
      notCheckedAt: z.array(z.strictObject({ url: z.string(), because: z.string() })).readonly(),
      results: z.array(verifiedFinding).readonly().exactOptional(),
    }),
    OF_ACTION,
  ),
  PlanRegenerated: stored(z.strictObject({ jobId: id, by: z.string(), count, items, kept: z.record(z.string(), z.string()).readonly(), regeneratedAt: at }), [
    'jobId',
  ]),
  PlanDeleted: stored(z.strictObject({ jobId: id, deletedAt: at }), ['jobId']),
} satisfies StoredTypes<PlanEvent>;
