/** How events of shared links and their visits are stored. */
import { SHARE_EVENTS, SHARE_VISIT_EVENTS } from '../share/events.ts';
import { stored } from './storedType.ts';

const OF_SHARE = ['jobId', 'shareId'] as const;

export const SHARE_TYPES = stored(SHARE_EVENTS, OF_SHARE, {
  ShareCreated: { ids: ['jobId', 'userId', 'shareId'], secret: ['tokenHash'] },
});

export const SHARE_VISIT_TYPES = stored(SHARE_VISIT_EVENTS, OF_SHARE);
