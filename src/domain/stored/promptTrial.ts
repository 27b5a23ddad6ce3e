/** How events of prompt trials are stored. */
import { PROMPT_TRIAL_EVENTS } from '../promptTrial/events.ts';
import { stored } from './storedType.ts';

export const PROMPT_TRIAL_TYPES = stored(PROMPT_TRIAL_EVENTS, ['jobId', 'adminId'], {
  PromptTrialAnswered: { secret: ['answer.text'] },
});
