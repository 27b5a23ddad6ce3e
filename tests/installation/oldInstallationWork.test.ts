/** The workers on a log from before the work list: pending work is done, finished work is not repeated. */

import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePage } from '../../src/audit/facts/parse/parsePage.ts';
import { contextOf } from '../../src/commands/context.ts';
import { loadHistory, loadState } from '../../src/commands/handle.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream, sessionStream } from '../../src/domain/account/events.ts';
import { sessionDecider } from '../../src/domain/account/session.ts';
import { openAnalysisOf } from '../../src/domain/billing/billing.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { mailStream } from '../../src/domain/mail/events.ts';
import { mailDecider } from '../../src/domain/mail/mail.ts';
import { crawlStream, reportStream } from '../../src/domain/report/events.ts';
import { deliveryDecider } from '../../src/domain/webhooks/delivery.ts';
import { deliveryStream } from '../../src/domain/webhooks/events.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import type { Mail } from '../../src/integrations/mailer/mailer.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { loadConfig } from '../../src/start/config.ts';
import { startProjector } from '../../src/start/startProjector.ts';
import { startWorkers } from '../../src/start/startWorkers.ts';
import { WORK_ITEMS } from '../../src/work/items.ts';
import { followUpWith } from '../given/followUp.ts';
import { quickPasswords } from '../given/passwords.ts';
import { oldInstallation } from '../given/product/oldInstallation.ts';

const log = pino({ level: 'silent' });
let old: Awaited<ReturnType<typeof oldInstallation>>;
let readModels: SqliteReadModels;
const sent: Mail[] = [];
const forgotten: string[] = [];
let stop: () => Promise<void>;

/** The whole log, in order. */
async function everything(): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after: string | undefined; ; ) {
    const page = await old.store.readAll(after === undefined ? {} : { after });
    events.push(...page.events);
    if (page.end) return events;
    after = page.next;
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

beforeAll(async () => {
  old = await oldInstallation();
  const { store, contents } = old;
  readModels = openSqliteReadModels({ file: ':memory:' });
  // The clock continues from the end of the old log.
  const began = Date.now();
  const now = (): string => new Date(Date.parse(contents.now) + Date.now() - began).toISOString();
  const projector = startProjector({ store, readModels, leases: null, marks: readModels.marks }, log);
  await projector.ready;
  const config = loadConfig({ NODE_ENV: 'test', DEMO: 'false', AUDIT_PARALLEL: '8' });
  const workers = startWorkers({
    config,
    log,
    store,
    storedLog: old.raw,
    readModels,
    claims: readModels.claims,
    marks: readModels.marks,
    snapshots: readModels.snapshots,
    leases: null,
    renderer: null,
    allowHosts: [],
    now,
    parse: async (page) => parsePage(page),
    analyst: createRulesAnalyst(),
    followUp: followUpWith(),
    mailer: {
      send: async (mail) => void sent.push(mail),
      forget: async (userId) => void forgotten.push(userId),
      close: async () => undefined,
    },
    payments: null,
    newToken: () => randomBytes(32).toString('base64url'),
    hashCode: quickPasswords.hash,
    appUrl: 'https://seo.example.com',
    problems: async () => [],
    context: (actor, cause) => contextOf({ store, now, commandId: randomUUID(), actor }, cause),
  });
  stop = async () => {
    await workers.stop();
    await projector.stop();
    await readModels.close();
    await old.close();
  };
  await until(async () => {
    const lag = await workers.followerLag();
    // Later retries are out of scope: nothing answers for those hosts here.
    const owed = await readModels.count(WORK_ITEMS, { kind: 'audit' });
    const mails = await readModels.count(WORK_ITEMS, { kind: 'mail' });
    return lag.every(({ ageMs }) => ageMs === 0) && owed === 0 && mails === 0;
  });
});
afterAll(() => stop());

describe('an installation of an earlier version', () => {
  it('has its pending audits done', async () => {
    for (const [name, { jobId, owed }] of Object.entries(old.contents.jobs)) {
      if (owed !== 'audit') continue;
      const { state } = await loadState(old.store, jobDecider, jobStream(jobId));
      expect(state.status, name).toBe('finished');
    }
    // Its finished steps are not repeated.
    const running = await loadHistory(old.store, jobDecider, jobStream(old.contents.jobs.running.jobId));
    const ended = running.events
      .filter(({ type }) => type === 'JobStepEnded')
      .map(({ data }) => (data as { step: string }).step);
    expect(new Set(ended).size).toBe(ended.length);
  });

  it('sends every mail of the last day once, and drops the others', async () => {
    const ids = sent.map(({ messageId }) => messageId.split('@')[0]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { mailId, owed }] of Object.entries(old.contents.mails)) {
      expect(ids.includes(mailId), name).toBe(owed === 'send');
      const { state } = await loadState(old.store, mailDecider, mailStream(mailId));
      expect(state.status, name).toBe('settled');
    }
  });

  it('delivers webhooks only for the last day, with the payloads of that time', async () => {
    for (const [name, { deliveryId, owed, state: was }] of Object.entries(old.contents.deliveries)) {
      const { state } = await loadState(old.store, deliveryDecider, deliveryStream(deliveryId));
      if (owed === 'queue' || owed === 'try') expect(['waiting', 'delivered', 'failed'], name).toContain(state.status);
      else if (owed === 'nothing') expect(state.status, name).toBe(was);
      else expect(state.status, name).toBe('forgotten');
    }
  });

  it('has its bills settled', async () => {
    const { jobs, reservationWithoutJob } = old.contents;
    for (const { jobId, userId } of [jobs.unsettled, reservationWithoutJob]) {
      const { state } = await loadState(old.store, billingDecider, billingStream(userId));
      expect(openAnalysisOf(state, jobId)).toBeNull();
    }
  });

  it('erases deleted data, and removes leftovers', async () => {
    const { jobs, accounts } = old.contents;
    expect(await old.store.read(reportStream(jobs.deletedHalf.jobId))).toEqual({ status: 'deleted' });
    expect(await old.store.read(crawlStream(jobs.crawlLeft.jobId))).toEqual({ status: 'deleted' });
    expect(await old.store.read(reportStream(jobs.ofEmil.jobId))).toEqual({ status: 'deleted' });
    const emil = await old.store.read(accountStream(accounts.emil.userId));
    expect(emil.status === 'found' && emil.events.map(({ type }) => type)).toEqual(['AccountDeleted']);
    expect(forgotten).toContain(accounts.emil.userId);
    expect(await old.store.read(accountStream(accounts.eve.userId))).toEqual({ status: 'deleted' });
  });

  it('carries out pending requests', async () => {
    const { accounts, sessions } = old.contents;
    const dana = (await loadState(old.store, accountDecider, accountStream(accounts.dana.userId))).state;
    expect(dana).toMatchObject({ status: 'active', email: 'dana@moved.example' });
    for (const [name, { sessionId, owed }] of Object.entries(sessions)) {
      const { state } = await loadState(old.store, sessionDecider, sessionStream(sessionId));
      if (owed === 'end') expect(state.status, name).toBe('ended');
      if (name === 'carlAfter') expect(state.status, name).toBe('active');
    }
  });

  it('writes nothing else: finished work stays as it is', async () => {
    const written = (await everything()).filter(({ metadata }) => metadata.at >= old.contents.now);
    expect(written.length).toBeGreaterThan(0);
    for (const [name, { jobId, owed }] of Object.entries(old.contents.jobs)) {
      if (owed !== 'nothing') continue;
      const touched = written.filter(({ stream }) => stream === jobStream(jobId));
      expect(
        touched.map(({ type }) => type),
        name,
      ).toEqual([]);
    }
  });
});
