/** How events of plans are stored: the action items of a job and the work on them. */
import { PLAN_EVENTS } from '../plan/events.ts';
import { stored } from './storedType.ts';

export const PLAN_TYPES = stored(PLAN_EVENTS, ['jobId', 'actionId'], {
  PlanGenerated: { ids: ['jobId', 'userId'] },
  PlanExtended: { ids: ['jobId'] },
  PlanRegenerated: { ids: ['jobId'] },
  PlanDeleted: { ids: ['jobId'] },
});
