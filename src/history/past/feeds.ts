/**
 * Which streams feed each document of a read model: all that must be read to know it as it stood. A test holds the table to what the projections take, so a
 * new read model needs its line.
 */
import { emailStreamOf } from '../../commands/account/emailStreamOf.ts';
import { accountStream } from '../../domain/account/account.ts';
import { sessionStream } from '../../domain/account/session.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import { jobDeletionsStream } from '../../domain/job/deletions.ts';
import { jobStream } from '../../domain/job/job.ts';
import { mailStream } from '../../domain/mail/mail.ts';
import { planStream } from '../../domain/plan/plan.ts';
import { promptStream } from '../../domain/prompt/prompt.ts';
import { promptTrialStream } from '../../domain/promptTrial/promptTrial.ts';
import { reportStream } from '../../domain/report/report.ts';
import { secondFactorStream } from '../../domain/secondFactor/secondFactor.ts';
import { sequenceStream } from '../../domain/sequence/sequence.ts';
import { sharesStream, shareVisitsStream } from '../../domain/share/share.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { deliveryStream } from '../../domain/webhooks/delivery.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { PROMPT_KEYS } from '../../model/prompts/prompt.ts';

export type Feed =
  | {
      /** Those that its id names. */
      readonly streams: (id: string) => readonly string[];
      /** Those that the events of the first ones name. */
      readonly named?: (events: readonly RecordedEvent[]) => readonly string[];
    }
  /** Why its id names none: then all events of the model's types are gone through, up to the moment. */
  | { readonly byTypes: string };

/** The id of a job, also where more follows it: `{jobId}/findings/0`. */
export const jobIdOf = (id: string): string => id.split('/')[0] ?? id;

/** Many jobs are deleted by one event in a stream of their owner's, before each of them is by its own. */
const deletions = (events: readonly RecordedEvent[]): readonly string[] => [
  ...new Set(eventsOf(events, 'JobSubmitted').map(({ data }) => jobDeletionsStream(data.userId))),
];
const claims = (events: readonly RecordedEvent[]): readonly string[] => [
  ...new Set(eventsOf(events, 'AccountRegistered', 'AccountEmailChanged').map(({ data }) => emailStreamOf(data.email))),
];

const ofJob = (...streams: readonly ((jobId: string) => string)[]): Feed => ({
  streams: (id) => [jobStream, ...streams].map((stream) => stream(jobIdOf(id))),
  named: deletions,
});

export const FEEDS: Readonly<Record<string, Feed>> = {
  accounts: { streams: (userId) => [accountStream(userId), secondFactorStream(userId)], named: claims },
  sessions: { streams: (sessionId) => [sessionStream(sessionId)] },
  userSessions: { streams: (sessionId) => [sessionStream(sessionId)] },
  keptAnswers: { byTypes: 'Answers have streams of their own, which are erased after 30 days: the list of them is of now.' },
  jobs: ofJob(planStream, reportStream),
  allJobs: ofJob(),
  auditTimes: ofJob(),
  jobFiles: ofJob(reportStream),
  reports: ofJob(reportStream),
  boards: ofJob(planStream),
  reworks: { byTypes: 'Each rework has a stream of its own, which its job does not name.' },
  billing: { streams: (userId) => [billingStream(userId)] },
  billingHistory: { byTypes: 'Its id is that of its event; of a whole bill, the bill names the stream.' },
  reservations: { byTypes: 'A job does not name the bill that it is taken from.' },
  apiKeys: { byTypes: 'A key does not name its owner, whose stream it is in.' },
  webhooks: { byTypes: 'An endpoint sums up its deliveries, each of which has a stream of its own.' },
  webhookDeliveries: { streams: (deliveryId) => [deliveryStream(deliveryId)] },
  shares: ofJob(sharesStream, shareVisitsStream),
  sequences: { streams: (sequenceId) => [sequenceStream(sequenceId)] },
  sequenceTemplates: { byTypes: 'A template does not name its sequence, whose stream it is in.' },
  sequenceMails: { byTypes: 'A mail does not name its user, whose stream it is in.' },
  sequenceEnrolments: { byTypes: 'An enrolment does not name its user, whose stream it is in.' },
  userActivity: { byTypes: 'It sums up all that somebody does, in streams of every kind.' },
  userProgress: { byTypes: 'It sums up the jobs of a user, and all users.' },
  failedMails: { streams: (mailId) => [mailStream(mailId)] },
  userMails: { byTypes: 'Each mail has a stream of its own, which its user does not name.' },
  causes: { byTypes: 'The id of an event does not name its stream.' },
  activity: { byTypes: 'It points at events in streams of every kind.' },
  promptTrials: ofJob(promptTrialStream),
  prompts: { streams: (name) => PROMPT_KEYS.filter((key) => name.startsWith(`${key}@`)).map(promptStream) },
};
