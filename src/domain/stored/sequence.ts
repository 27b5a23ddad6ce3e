/** How events of email sequences and of their delivery to each user are stored. */
import { SEQUENCE_EVENTS, SEQUENCE_MAILS_EVENTS } from '../sequence/events.ts';
import { stored } from './storedType.ts';

const OF_TEMPLATE = ['sequenceId', 'templateId'] as const;

export const SEQUENCE_TYPES = stored(SEQUENCE_EVENTS, ['sequenceId'], {
  SequenceTemplateAdded: { ids: OF_TEMPLATE },
  SequenceTemplateChanged: { ids: OF_TEMPLATE },
  SequenceTemplateRemoved: { ids: OF_TEMPLATE },
  SequenceTestAsked: { ids: [...OF_TEMPLATE, 'userId'] },
});

const OF_ENROLMENT = ['userId', 'sequenceId', 'enrolmentId'] as const;

export const SEQUENCE_MAILS_TYPES = stored(SEQUENCE_MAILS_EVENTS, [...OF_ENROLMENT, 'mailId'], {
  SequenceEnrolled: { ids: OF_ENROLMENT },
  SequenceFinished: { ids: OF_ENROLMENT },
  SequenceStopped: { ids: OF_ENROLMENT },
  SequenceMailsClosed: { ids: ['userId'] },
});
