/** How events of redone parts of finished audits are stored. */
import { REWORK_EVENTS } from '../rework/events.ts';
import { stored } from './storedType.ts';

export const REWORK_TYPES = stored(REWORK_EVENTS, ['reworkId', 'jobId', 'userId'], {
  VerificationAsked: { ids: ['reworkId', 'jobId', 'userId', 'actionId'] },
});
