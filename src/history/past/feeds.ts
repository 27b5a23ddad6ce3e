/**
 * Which streams feed each document of a read model: everything that must be read to rebuild its past state. A test
 * checks this table against the events that projections handle, so a new read model needs a line here.
 */

import { emailStreamOf } from '../../commands/account/emailStreamOf.ts';
import { accountStream, sessionStream } from '../../domain/account/events.ts';
import { exportsStream } from '../../domain/accountExport/events.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { jobDeletionsStream, jobStream } from '../../domain/job/events.ts';
import { mailStream } from '../../domain/mail/events.ts';
import { planStream } from '../../domain/plan/events.ts';
import { promptStream } from '../../domain/prompt/events.ts';
import { promptTrialStream } from '../../domain/promptTrial/events.ts';
import { pageRecordsStream, reportStream } from '../../domain/report/events.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import { sequenceStream } from '../../domain/sequence/events.ts';
import { sharesStream, shareVisitsStream } from '../../domain/share/events.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { deliveryStream } from '../../domain/webhooks/events.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';
import { PROMPT_KEYS } from '../../model/prompts/prompt.ts';
import { userIdOfBilling } from '../../projections/billing.ts';
import { sessionIdOf } from '../../projections/sessions.ts';

export type Feed =
  | {
      /** The streams that the document id names. */
      readonly streams: (id: string) => readonly string[];
      /** The streams named by the events of the first ones. */
      readonly named?: (events: readonly RecordedEvent[]) => readonly string[];
    }
  /** Why the id names no streams. All events of the model's types are then replayed up to the moment. */
  | { readonly byTypes: string };

/** The job id, also from longer ids such as `{jobId}/findings/0`. */
export const jobIdOf = (id: string): string => id.split('/')[0] ?? id;

/** Deleting many jobs writes one event to a stream of their owner before each job gets its own. */
const deletions = (events: readonly RecordedEvent[]): readonly string[] => [
  ...new Set(eventsOf(events, 'JobSubmitted').map(({ data }) => jobDeletionsStream(data.userId))),
];
const claims = (events: readonly RecordedEvent[]): readonly string[] => [
  ...new Set(eventsOf(events, 'AccountRegistered', 'AccountEmailChanged').map(({ data }) => emailStreamOf(data.email))),
];

/** Of audits that are given back although they were completed: the bill says whether they were. */
const bills = (events: readonly RecordedEvent[]): readonly string[] =>
  eventsOf(events, 'JobReportReady').some(({ data }) => data.shut || data.notJudged !== undefined)
    ? [...new Set(eventsOf(events, 'JobSubmitted').map(({ data }) => billingStream(data.userId)))]
    : [];

const ofJob = (...streams: readonly ((jobId: string) => string)[]): Feed => ({
  streams: (id) => [jobStream, ...streams].map((stream) => stream(jobIdOf(id))),
  named: deletions,
});

export const FEEDS: Readonly<Record<string, Feed>> = {
  accounts: { streams: (userId) => [accountStream(userId), secondFactorStream(userId)], named: claims },
  sessions: { streams: (id) => [sessionStream(sessionIdOf(id))] },
  keptAnswers: {
    byTypes: 'Answers have streams of their own, which are erased after 30 days: the list of them is of now.',
  },
  jobs: { ...ofJob(planStream, reportStream), named: (events) => [...deletions(events), ...bills(events)] },
  jobIndex: ofJob(),
  jobFiles: ofJob(reportStream),
  reports: ofJob(reportStream),
  pageRecords: ofJob(pageRecordsStream),
  boards: ofJob(planStream),
  reworks: { byTypes: 'Each rework has a stream of its own, which its job does not name.' },
  billing: { streams: (id) => [billingStream(userIdOfBilling(id))] },
  ledger: { byTypes: 'The id of a row is its event’s, which does not name the bill.' },
  apiKeys: { byTypes: 'A key does not name its owner, whose stream it is in.' },
  webhooks: { byTypes: 'An endpoint sums up its deliveries, each of which has a stream of its own.' },
  webhookDeliveries: { streams: (deliveryId) => [deliveryStream(deliveryId)] },
  shares: ofJob(sharesStream, shareVisitsStream),
  sequences: { streams: (sequenceId) => [sequenceStream(sequenceId)] },
  sequenceRecipients: {
    byTypes:
      'A mail and an enrolment do not name their user, whose stream they are in; the last activity of a user is in streams of every kind.',
  },
  userProgress: { byTypes: 'It sums up the jobs of a user, and all users.' },
  failedMails: { streams: (mailId) => [mailStream(mailId)] },
  userMails: { byTypes: 'Each mail has a stream of its own, which its user does not name.' },
  causes: { byTypes: 'The id of an event does not name its stream.' },
  activity: { byTypes: 'It points at events in streams of every kind.' },
  accountExports: { streams: (userId) => [accountStream(userId), exportsStream(userId)] },
  promptTrials: ofJob(promptTrialStream),
  givenUpWork: {
    byTypes: 'Each kind of work has streams of its own, and some name a job or a user whose deletion ends it.',
  },
  prompts: { streams: (name) => PROMPT_KEYS.filter((key) => name.startsWith(`${key}@`)).map(promptStream) },
};
