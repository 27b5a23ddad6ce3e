/** How events of prompts are stored. */
import { PROMPT_EVENTS } from '../prompt/events.ts';
import { stored } from './storedType.ts';

export const PROMPT_TYPES = stored(PROMPT_EVENTS, ['key', 'adminId']);
