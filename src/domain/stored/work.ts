/** How events of emails, of work that was set aside or retried on request, and of keyed requests are stored. */
import { MAIL_EVENTS } from '../mail/events.ts';
import { REQUEST_EVENTS } from '../request/events.ts';
import { FOLLOW_UP_EVENTS, PARKED_EVENTS, WORK_EVENTS } from '../work/events.ts';
import { stored } from './storedType.ts';

export const MAIL_TYPES = stored(MAIL_EVENTS, ['mailId', 'userId'], { MailPrepared: { secret: ['unsubscribeHash'] } });

export const FOLLOW_UP_TYPES = stored(FOLLOW_UP_EVENTS, ['followUpId'], {
  FollowUpSetAside: { ids: ['followUpId', 'follower'] },
  FollowUpRequeued: { ids: ['followUpId', 'follower'] },
});

export const WORK_TYPES = stored(WORK_EVENTS, ['kind', 'itemId']);

export const PARKED_TYPES = stored(PARKED_EVENTS, ['model', 'documentId']);

/** Requests and responses may contain anything their user was shown. */
export const REQUEST_TYPES = stored(REQUEST_EVENTS, [], {
  RequestAccepted: { secret: ['bodyHash', 'plan'] },
  RequestAnswered: { secret: ['body'] },
});
