/** Mails without a server: their causes, a mailer, and their outcomes. */

import { randomUUID } from 'node:crypto';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { mailIdOf } from '../../../src/commands/mail/mailOf.ts';
import type { JobEvent } from '../../../src/domain/job/events.ts';
import { mailStream } from '../../../src/domain/mail/events.ts';
import type { DataOf } from '../../../src/domain/stored/eventOf.ts';
import type { EventStore, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import type { Mail, Mailer } from '../../../src/integrations/mailer/mailer.ts';
import { type DeliverDeps, deliverMail } from '../../../src/workers/mails/deliverMail.ts';
import { actionItem } from '../analysis.ts';
import type { Product } from '../commands.ts';
import { quickPasswords } from '../passwords.ts';
import { metadataAt } from '../stores/metadata.ts';

/** Accepts every mail, unless set to fail: at once, or `after` accepting it. */
export function receivingMailer(failures: (Error | 'after')[] = []) {
  const sent: Mail[] = [];
  const mailer: Mailer = {
    send: async (mail) => {
      const failure = failures.shift();
      if (failure instanceof Error) throw failure;
      sent.push(mail);
      if (failure === 'after') throw new Error('the answer was lost');
    },
    forget: async () => undefined,
    close: async () => undefined,
  };
  return { mailer, sent };
}

/** The token of the unsubscribe link in a mail. */
export function tokenOf(mail: Mail | undefined): string {
  const link = /<(.*)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
  return new URL(link).searchParams.get('token') ?? '';
}

export function deliveryDeps(made: Product, mailer: Mailer | null, store: EventStore = made.store): DeliverDeps {
  let drawn = 0;
  const newToken = () => {
    drawn += 1;
    return `secret${String(drawn).padStart(37, '0')}`;
  };
  const surroundings = {
    appUrl: 'https://seo.example.com',
    supportEmail: 'help@example.com',
    companyName: 'Example',
    payments: null,
  };
  return {
    ...surroundings,
    mailer,
    now: made.now,
    newToken,
    hashCode: quickPasswords.hash,
    context: () => made.context(randomUUID(), store),
  };
}

/** The outcome of this attempt at the event's mail: `sent`, the reason it was dropped, or `waits`. */
export async function deliver(made: Product, deps: DeliverDeps, event: RecordedEvent): Promise<string> {
  const { outcome } = await deliverMail(deps, event, () => true);
  if (outcome === 'waits') return outcome;
  const { type, data } = (await mailEvents(made, event)).at(-1) ?? { type: 'nothing', data: {} };
  return type === 'MailSent' ? 'sent' : ((data as { readonly reason?: string }).reason ?? type);
}

/** The stream of the event's mail. */
export async function mailEvents(made: Product, event: RecordedEvent): Promise<readonly RecordedEvent[]> {
  const read = await made.store.read(mailStream(mailIdOf(event) ?? ''));
  return read.status === 'found' ? read.events : [];
}

export async function append(
  made: Product,
  stream: string,
  ...events: readonly { readonly type: string; readonly data: object }[]
): Promise<void> {
  const metadata = metadataAt(made.now());
  await made.store.append(
    stream,
    events.map((event) => ({ id: randomUUID(), ...event, metadata })),
    { expected: 'any' },
  );
}

export const BOUNDS = { maxPages: 5, maxMs: 1_000 };

/** A new job and its end. */
export async function finishedJob(
  made: Product,
  userId: string,
  end: JobEvent['type'] = 'JobCompleted',
): Promise<string> {
  const jobId = randomUUID();
  const site = { url: 'https://www.example.org/', host: 'www.example.org' };
  const data = { jobId, userId, ...site, access: 'full', submittedAt: made.now(), bounds: BOUNDS };
  await append(made, `job-${jobId}`, { type: 'JobSubmitted', data });
  await endJob(made, { userId, jobId, end });
  return jobId;
}

/** A batch as the product accepts it. */
export async function batch(made: Product, userId: string, ...hosts: readonly string[]): Promise<readonly string[]> {
  const sites = hosts.map((host) => ({ host, url: `https://${host}/` }));
  return (await submitJobs(made.context(), { userId, sites, bounds: BOUNDS, freeAnalyses: 20 })).jobIds;
}

type Ending = {
  readonly userId: string;
  readonly jobId: string;
  readonly end?: JobEvent['type'];
  readonly score?: number | null;
  /** More of what the report says. */
  readonly report?: Partial<DataOf<'JobReportReady'>>;
  readonly items?: 0;
};

export async function endJob(
  made: Product,
  { userId, jobId, end = 'JobCompleted', score = 82, report = {}, items: number }: Ending,
): Promise<void> {
  const all = [
    actionItem('low', { impact: 'low' }),
    actionItem('first', { impact: 'high', title: 'Give <b>every</b> page a title', timeEstimate: 45 }),
    actionItem('second', { impact: 'high' }),
    actionItem('middle', { impact: 'medium' }),
  ];
  const items = number === 0 ? [] : all;
  await append(made, `plan-${jobId}`, {
    type: 'PlanGenerated',
    data: { jobId, userId, by: 'rules', count: items.length, items, generatedAt: made.now() },
  });
  await append(
    made,
    `job-${jobId}`,
    { type: 'JobStarted', data: { jobId, attempt: 1, startedAt: made.now() } },
    {
      type: 'JobReportReady',
      data: { jobId, score, pagesAudited: 3, findings: 9, highImpact: 2, files: [], readyAt: made.now(), ...report },
    },
    { type: end, data: { jobId, userId, ...endings(made.now())[end] } },
  );
}

/** The reason of a partial end. */
export const PARTIAL = 'Stopped at the time limit; 40 more pages were found but not audited. The model failed.';

/** The data of each end of a job. */
const endings = (at: string): Readonly<Partial<Record<JobEvent['type'], object>>> => ({
  JobCompleted: { completedAt: at },
  JobPartiallyCompleted: { reason: PARTIAL, completedAt: at },
  JobPartiallySucceeded: { reason: PARTIAL, completedAt: at },
  JobCancelled: { by: 'user:test', cancelledAt: at },
  JobFailed: { code: 'X', reason: 'r', failedAt: at },
});

export async function lastEvent(made: Product, type: string): Promise<RecordedEvent> {
  const event = (await made.log()).findLast((each) => each.type === type);
  if (!event) throw new Error(`The log has no ${type}.`);
  return event;
}

export function addedWebhook(made: Product, userId: string, endpointId: string): Promise<void> {
  const data = {
    endpointId,
    userId,
    url: 'https://hooks.example.com/secret/path',
    events: ['job.completed'],
    addedAt: made.now(),
  };
  return append(made, `webhooks-${userId}`, { type: 'WebhookAdded', data });
}

export function disabledWebhook(
  made: Product,
  userId: string,
  endpointId: string,
  reason: 'owner' | 'failing',
): Promise<void> {
  return append(made, `webhooks-${userId}`, {
    type: 'WebhookDisabled',
    data: { endpointId, userId, reason, disabledAt: made.now() },
  });
}
