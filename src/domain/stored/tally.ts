/** How tallies and their sums are stored. */
import {
  CHECKOUT_EVENTS,
  REFUSED_LOG_IN_EVENTS,
  REFUSED_SUBMISSION_EVENTS,
  TALLY_SUM_EVENTS,
  TRIED_CODE_EVENTS,
} from '../tally/events.ts';
import { stored } from './storedType.ts';

export const REFUSED_SUBMISSION_TYPES = stored(REFUSED_SUBMISSION_EVENTS, ['userId']);
export const CHECKOUT_TYPES = stored(CHECKOUT_EVENTS, ['userId']);
export const TRIED_CODE_TYPES = stored(TRIED_CODE_EVENTS, ['userId']);
export const REFUSED_LOG_IN_TYPES = stored(REFUSED_LOG_IN_EVENTS, ['userId']);
export const TALLY_SUM_TYPES = stored(TALLY_SUM_EVENTS, ['sumId']);
