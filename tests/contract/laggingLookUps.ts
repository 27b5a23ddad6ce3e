/** What is made while the projector is stopped, and how it is looked up by its id meanwhile. */

import { randomUUID } from 'node:crypto';
import { loadState } from '../../src/commands/handle.ts';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { deleteSequence, removeTemplate } from '../../src/commands/sequence/sequences.ts';
import { revokeShare } from '../../src/commands/share/revokeShare.ts';
import { removeWebhook } from '../../src/commands/webhooks/webhooks.ts';
import { shareDecider } from '../../src/domain/share/decide.ts';
import { sharesStream } from '../../src/domain/share/events.ts';
import type { AnalysisGiven, GivenJob } from '../given/analysis.ts';
import type { TestUser } from '../given/product/http.ts';
import type { Shop } from '../given/product/shop.ts';
import { contextIn } from './laggingWriteCases.ts';

export type Maker = {
  readonly app: Shop;
  readonly owner: TestUser;
  readonly analysisOf: (user: TestUser, given?: AnalysisGiven) => Promise<GivenJob>;
};
export type LookUp = readonly [method: string, path: string, body?: object];

export type MadeKind = {
  readonly what: string;
  /** What it needs, while the projector runs. */
  readonly given?: (maker: Maker) => Promise<string>;
  /** The id that it is looked up by. `within`: what `given` made. */
  readonly make: (maker: Maker, within: string) => Promise<string>;
  readonly lookUps: (id: string) => readonly LookUp[];
  /** By a command: its own route may have to wait for the read models. Null: once revoked, it stays in the list. */
  readonly remove: ((maker: Maker, id: string, within: string) => Promise<unknown>) | null;
  /** Of a shape that such ids have. */
  readonly neverMade: (within: string) => string;
  /** Whose it is does not matter: admins share them, or the id itself is the secret. */
  readonly isEverybodys?: true;
  /** The read model that it is in, and its document there. */
  readonly document: (id: string, within: string) => readonly [model: string, id: string];
};

const SEQUENCES = '/admin/email-sequences/sequences';
const TEMPLATES = '/admin/email-sequences/templates';
const HEX = 'a'.repeat(16);

/** Sends `POST path` and returns the body of its answer. */
async function post({ owner }: Maker, path: string, body: object) {
  const answer = await owner.call('POST', `/api/v1${path}`, body);
  if (answer.status >= 300) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

const sequenceOf = async (maker: Maker): Promise<string> => {
  const body = await post(maker, SEQUENCES, { name: 'Welcome', description: '', trigger: 'sign_up' });
  return body.ids?.sequenceId ?? body.sequence.id;
};
const audit = async ({ owner, analysisOf }: Maker): Promise<string> => (await analysisOf(owner)).jobId;
const share = async (maker: Maker, jobId: string) =>
  (await post(maker, '/share/create', { jobId })).data as { readonly id: string; readonly shareUrl: string };
const tokenIn = ({ shareUrl }: { readonly shareUrl: string }): string => shareUrl.split('/').at(-1) ?? '';

async function removeJob({ app }: Maker, jobId: string): Promise<void> {
  await cancelJob(contextIn(app), { jobId });
  await deleteJob(contextIn(app), { jobId });
}

async function revokeLink({ app }: Maker, _: string, jobId: string): Promise<void> {
  const { shares } = (await loadState(app.store, shareDecider, sharesStream(jobId))).state;
  for (const shareId of Object.keys(shares)) await revokeShare(contextIn(app), { jobId, shareId });
}

export const MADE: readonly MadeKind[] = [
  {
    what: 'a job',
    make: async (maker) => (await post(maker, '/process', { url: 'example.com' })).data.id,
    lookUps: (id) => [
      ['GET', `/jobs/${id}`],
      ['GET', `/actions?jobId=${id}`],
      ['GET', `/actions/analyses?jobId=${id}`],
      ['POST', `/actions/subscribe?jobId=${id}`],
      ['GET', `/actions/check-job/${id}`],
      ['GET', `/jobs/${id}/reworks`],
      ['POST', `/jobs/${id}/cancel`],
    ],
    remove: removeJob,
    neverMade: () => randomUUID(),
    document: (id) => ['jobs', id],
  },
  {
    what: 'a job, looked up by an admin',
    make: async (maker) => (await post(maker, '/process', { url: 'example.com' })).data.id,
    lookUps: (id) => [
      ['GET', `/admin/jobs/${id}`],
      ['GET', `/admin/jobs/${id}/events`],
      ['GET', `/admin/jobs/${id}/report`],
      ['POST', `/admin/jobs/${id}/cancel`],
    ],
    remove: removeJob,
    neverMade: () => randomUUID(),
    isEverybodys: true,
    document: (id) => ['jobs', id],
  },
  {
    what: 'an email sequence',
    make: sequenceOf,
    lookUps: (id) => [
      ['GET', `${SEQUENCES}/${id}`],
      ['GET', `${SEQUENCES}/${id}/figures`],
      ['PUT', `${SEQUENCES}/${id}`, { description: 'Another' }],
      ['POST', `${SEQUENCES}/${id}/templates`, { name: 'First', subject: 'Hello', content: 'Hi' }],
    ],
    remove: ({ app }, sequenceId) => deleteSequence(contextIn(app), { sequenceId }),
    neverMade: () => randomUUID(),
    isEverybodys: true,
    document: (id) => ['sequences', id],
  },
  {
    what: 'a template',
    given: sequenceOf,
    make: async (maker, sequenceId) => {
      const body = await post(maker, `${SEQUENCES}/${sequenceId}/templates`, {
        name: 'First',
        subject: 'Hello',
        content: 'Hi',
      });
      return body.ids?.templateId ?? body.template.id;
    },
    lookUps: (id) => [
      ['GET', `${TEMPLATES}/${id}`],
      ['PUT', `${TEMPLATES}/${id}`, { subject: 'Another' }],
      ['POST', `${TEMPLATES}/${id}/test`],
    ],
    remove: ({ app }, templateId, sequenceId) => removeTemplate(contextIn(app), { sequenceId, templateId }),
    neverMade: (sequenceId) => `${sequenceId}.${HEX}`,
    isEverybodys: true,
    document: (_, sequenceId) => ['sequences', sequenceId],
  },
  {
    what: 'a webhook',
    make: async (maker) =>
      (await post(maker, '/webhooks', { url: 'https://hooks.example.com/', events: ['job.completed'] })).data.id,
    lookUps: (id) => [
      ['GET', `/webhooks/${id}/deliveries`],
      ['PUT', `/webhooks/${id}`, { active: false }],
      ['POST', `/webhooks/${id}/secret`, { former: 'stop' }],
      ['POST', `/webhooks/${id}/test`],
    ],
    remove: ({ app, owner: { userId } }, endpointId) => removeWebhook(contextIn(app), { userId, endpointId }),
    neverMade: () => randomUUID(),
    document: (id) => ['webhooks', id],
  },
  {
    what: 'a shared link, by its id',
    given: audit,
    make: async (maker, jobId) => (await share(maker, jobId)).id,
    lookUps: (id) => [['DELETE', `/share/${id}`]],
    remove: null,
    neverMade: (jobId) => `${jobId}.${HEX}`,
    document: (_, jobId) => ['shares', jobId],
  },
  {
    what: 'a shared link, by its token',
    given: audit,
    make: async (maker, jobId) => tokenIn(await share(maker, jobId)),
    lookUps: (token) => [
      ['GET', `/share/${token}`],
      ['GET', `/share/${token}/state`],
    ],
    remove: revokeLink,
    neverMade: () => `${'A'.repeat(22)}${'b'.repeat(43)}`,
    isEverybodys: true,
    document: (_, jobId) => ['shares', jobId],
  },
];
