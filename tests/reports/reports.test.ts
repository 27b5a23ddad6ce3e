/** The product's reports: each on a small log, and rules for all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/domain/eventTypes.ts';
import type { ModelUse } from '../../src/domain/modelUse.ts';
import { ReportTableView } from '../../src/http/contract/admin/reports.ts';
import { REPORTS } from '../../src/reports/all.ts';
import { errors } from '../../src/reports/errors.ts';
import { failureWords } from '../../src/reports/failureWords.ts';
import { mails } from '../../src/reports/mails.ts';
import { quality } from '../../src/reports/quality.ts';
import { reconciliation } from '../../src/reports/reconciliation.ts';
import { usage } from '../../src/reports/usage.ts';
import { actionItem } from '../given/analysis.ts';
import { modelUse } from '../given/modelUse.ts';
import { happened, logOf, NOW, rowsOf, runReport, tableIn, write } from '../given/reports.ts';

const on = (day: number, hour = 12): string =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const user = { userId: 'user-1' };

describe.each(REPORTS.map((report) => [report.name, report] as const))('the report %s', (name, report) => {
  it('is a file of its name, reads existing event types, and has a description', () => {
    expect(readdirSync(new URL('../../src/reports', import.meta.url))).toContain(`${name}.ts`);
    expect(report.types.filter((type) => !EVENT_TYPES.some((known) => known === type))).toEqual([]);
    expect(new Set(report.types).size).toBe(report.types.length);
    expect([report.title, report.description].every((text) => text.length > 3)).toBe(true);
  });

  it('has valid tables, also for an empty log, and does not change the state', () => {
    const state = report.initial();
    const before = JSON.stringify(state);
    const tables = report.tables(state, { from: '2026-01-01', to: '2026-02-01', by: 'week', asOf: NOW });
    for (const table of tables) {
      expect([table.name, ReportTableView.safeParse(table).error?.issues]).toEqual([table.name, undefined]);
      const keys = table.columns.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      if (table.chart) expect(keys).toEqual(expect.arrayContaining([table.chart.x, ...table.chart.series]));
    }
    expect(new Set(tables.map((table) => table.name)).size).toBe(tables.length);
    expect(JSON.stringify(state)).toBe(before);
  });
});

describe('usage', () => {
  it('counts audits by the bills, and pages, findings and times by the audits', async () => {
    const job = { jobId: 'job-1' };
    const log = await logOf(
      happened('billing-user-1', on(1), 'AnalysisReserved', {
        ...user,
        ...job,
        from: 'free_allowance',
        period: '2026-03',
        access: 'preview',
        reservedAt: on(1),
      }),
      happened('job-job-1', on(1), 'JobStarted', { ...job, attempt: 1, startedAt: on(1) }),
      happened('job-job-1', on(1, 13), 'JobReportReady', {
        ...job,
        score: 70,
        pagesAudited: 12,
        findings: 30,
        highImpact: 2,
        files: [],
        readyAt: on(1, 13),
      }),
      happened('job-job-1', on(1, 13), 'JobSummaryWritten', {
        ...job,
        by: 'gpt',
        fallback: true,
        writtenAt: on(1, 13),
      }),
      happened('job-job-1', on(1, 14), 'JobCompleted', { ...job, ...user, completedAt: on(1, 14) }),
      happened('billing-user-1', on(1, 14), 'AnalysisConsumed', { ...user, ...job, consumedAt: on(1, 14) }),
      happened('billing-user-1', on(2), 'AnalysisReserved', {
        ...user,
        jobId: 'job-2',
        from: 'credits',
        period: '2026-03',
        access: 'full',
        balance: 0,
        reservedAt: on(2),
      }),
      happened('billing-user-1', on(2), 'AnalysisReleased', {
        ...user,
        jobId: 'job-2',
        from: 'credits',
        period: '2026-03',
        balance: 1,
        reason: 'job_failed',
        releasedAt: on(2),
      }),
    );
    const result = await runReport(log, usage);
    expect(rowsOf(result, 'over-time')).toEqual([
      expect.objectContaining({
        step: '2026-03-01',
        submitted: 2,
        finished: 1,
        returned: 1,
        unlocked: 0,
        pages: 12,
        findings: 30,
        pagesEach: 12,
        msEach: 7_200_000,
      }),
    ]);
    expect(rowsOf(result, 'by-source')).toEqual([
      { from: 'Credits', taken: 1, returned: 1, kept: 0 },
      { from: 'Free allowance', taken: 1, returned: 0, kept: 1 },
    ]);
    expect(rowsOf(result, 'texts')).toEqual([{ by: 'gpt', texts: 1, fallbacks: 1, share: 1 }]);
  });
});

describe('usage of language models', () => {
  const asked = (day: number, jobId: string, over: Partial<ModelUse> = {}) =>
    happened(`job-${jobId}`, on(day), 'ModelAsked', { jobId, ...modelUse(over), recordedAt: on(day) });
  const rework = { reworkId: 'r', ask: 1, ...user, attempt: 1 };

  it('is reported over time, by model and text, and by audit', async () => {
    const log = await logOf(
      happened('job-a', on(1, 1), 'JobStarted', { jobId: 'a', attempt: 1, startedAt: on(1, 1) }),
      asked(1, 'a', { key: 'seo_analysis' }),
      asked(1, 'a', { used: false, answers: 3, inputTokens: 3_000, outputTokens: 10, costMicros: 9_150 }),
      happened('job-a', on(1, 13), 'JobCompleted', { jobId: 'a', ...user, completedAt: on(1, 13) }),
      asked(2, 'b', { model: 'model-y', costMicros: null }),
      asked(2, 'c', {
        model: 'model-y',
        answers: 0,
        used: false,
        inputTokens: null,
        outputTokens: null,
        costMicros: null,
      }),
      happened('rework-r', '2026-04-01T12:00:00.000Z', 'ReworkModelAsked', {
        ...rework,
        jobId: 'a',
        ...modelUse(),
        recordedAt: on(1),
      }),
    );
    const result = await runReport(log, usage);
    expect(rowsOf(result, 'models-over-time')).toEqual([
      {
        step: '2026-03-01',
        audits: 3,
        asked: 4,
        inputTokens: 5_400,
        outputTokens: 610,
        cost: 17_250,
        costEach: 17_250,
      },
      { step: '2026-04-01', audits: 1, asked: 1, inputTokens: 1_200, outputTokens: 300, cost: 8_100, costEach: 8_100 },
    ]);
    expect(rowsOf(result, 'models')).toEqual([
      {
        model: 'model-x',
        text: 'Report',
        asked: 1,
        inputTokens: 1_200,
        outputTokens: 300,
        cost: 8_100,
        share: 1,
        msEach: 2_000,
      },
      {
        model: 'model-x',
        text: 'Summary',
        asked: 2,
        inputTokens: 4_200,
        outputTokens: 310,
        cost: 17_250,
        share: 0.5,
        msEach: 2_000,
      },
      {
        model: 'model-y',
        text: 'Summary',
        asked: 2,
        inputTokens: 1_200,
        outputTokens: 300,
        cost: null,
        share: 0.5,
        msEach: 2_000,
      },
    ]);
    expect(rowsOf(result, 'models-by-audit')).toEqual([
      { jobId: 'a', asked: 3, inputTokens: 5_400, outputTokens: 610, cost: 25_350, ms: 6_000 },
      { jobId: 'b', asked: 1, inputTokens: 1_200, outputTokens: 300, cost: null, ms: 2_000 },
      { jobId: 'c', asked: 1, inputTokens: null, outputTokens: null, cost: null, ms: 2_000 },
    ]);
    // A job continues while its texts are written.
    expect(rowsOf(result, 'over-time')).toEqual([expect.objectContaining({ msEach: 12 * 60 * 60 * 1_000 })]);
    expect(rowsOf(await runReport(log, usage, { from: '2026-04-01' }), 'models-by-audit')).toEqual([
      { jobId: 'a', asked: 1, inputTokens: 1_200, outputTokens: 300, cost: 8_100, ms: 2_000 },
    ]);
  });
});

describe('emails', () => {
  it('separates sent, failed and skipped emails', async () => {
    const of = (mailId: string, kind: string) => ({ mailId, ...user, kind });
    const step = { ...user, sequenceId: 's', enrolmentId: 'e', mailId: 'm', templateId: 't', stepNumber: 1 };
    const log = await logOf(
      happened('mail-1', on(1), 'MailPrepared', {
        ...of('1', 'receipt'),
        attempt: 1,
        unsubscribeHash: null,
        preparedAt: on(1),
      }),
      happened('mail-1', on(1), 'MailSent', { ...of('1', 'receipt'), attempt: 1, sentAt: on(1) }),
      happened('mail-2', on(1), 'MailDropped', { ...of('2', 'receipt'), reason: 'refused', droppedAt: on(1) }),
      happened('mail-3', on(1), 'MailDropped', { ...of('3', 'job_done'), reason: 'not_wanted', droppedAt: on(1) }),
      happened('delivery-user-1', on(2), 'SequenceMailSent', { ...step, sentAt: on(2) }),
    );
    const result = await runReport(log, mails);
    expect(rowsOf(result, 'by-kind')).toEqual([
      { kind: 'Audit finished', sent: 0, failed: 0, dropped: 1, tries: 0, share: null },
      { kind: 'Receipt', sent: 1, failed: 1, dropped: 0, tries: 1, share: 0.5 },
      { kind: 'Email sequence', sent: 1, failed: 0, dropped: 0, tries: 0, share: 0 },
    ]);
    expect(rowsOf(result, 'reasons')).toEqual([
      { kind: 'Audit finished', reason: 'Unsubscribed', mails: 1 },
      { kind: 'Receipt', reason: 'No server takes it for that address', mails: 1 },
    ]);
  });
});

describe('errors', () => {
  it('counts each cause of a partial audit', async () => {
    const end = { jobId: '1', ...user, reason: 'Both.', completedAt: on(1) };
    const log = await logOf(
      happened('job-1', on(1), 'JobPartiallyCompleted', { ...end, modelFailed: true }),
      happened('job-2', on(1), 'JobPartiallyCompleted', { ...end, jobId: '2' }),
      happened('job-3', on(1), 'JobPartiallySucceeded', { ...end, jobId: '3' }),
    );
    expect(rowsOf(await runReport(log, errors), 'failed').map(({ why, times }) => [why, times])).toEqual([
      ['A budget ran out', 2],
      ['The language model failed', 2],
    ]);
  });

  it('counts failures, retries, items given up and events set aside', async () => {
    const log = await logOf(
      happened('job-1', on(1), 'JobStarted', { jobId: '1', attempt: 2, startedAt: on(1) }),
      happened('job-1', on(1), 'JobFailed', {
        jobId: '1',
        ...user,
        code: 'SITE_TIMEOUT',
        reason: 'It did not answer.',
        failedAt: on(1),
      }),
      happened('work-mail-1', on(1), 'WorkRetryAsked', { kind: 'mail', itemId: '1', askedAt: on(1) }),
      happened('mail-1', on(2), 'MailDropped', {
        mailId: '1',
        ...user,
        kind: 'receipt',
        reason: 'given_up',
        droppedAt: on(2),
      }),
      happened('mail-2', on(2), 'MailDropped', {
        mailId: '2',
        ...user,
        kind: 'receipt',
        reason: 'not_wanted',
        droppedAt: on(2),
      }),
      // One failure, reported by two streams.
      happened('mail-3', on(2), 'MailDropped', {
        mailId: '3',
        ...user,
        kind: 'sequence',
        reason: 'refused',
        droppedAt: on(2),
      }),
      happened('delivery-user-1', on(2), 'SequenceMailFailed', {
        mailId: '3',
        ...user,
        sequenceId: 's',
        enrolmentId: 'e',
        templateId: 't',
        stepNumber: 1,
        reason: 'refused',
        failedAt: on(2),
      }),
    );
    const result = await runReport(log, errors);
    expect(rowsOf(result, 'over-time')).toEqual([
      { step: '2026-03-01', failed: 1, retried: 1, givenUp: 2, setAside: 0, asked: 1 },
    ]);
    expect(rowsOf(result, 'failed')).toEqual([
      { trouble: 'failed', what: 'Audit', why: 'SITE_TIMEOUT', words: 'The server did not answer in time', times: 1 },
    ]);
    expect(rowsOf(result, 'given-up')).toEqual([
      { trouble: 'givenUp', what: 'Email', why: 'Given up', words: '', times: 1 },
      {
        trouble: 'givenUp',
        what: 'Email of a sequence',
        why: 'No server takes it for that address',
        words: '',
        times: 1,
      },
    ]);
    expect(rowsOf(result, 'retries').map(({ what }) => what)).toEqual(['Work: mail', 'Audit']);
  });

  it('has words for every failure code of an audit', () => {
    const text = readFileSync(new URL('../../src/workers/failureTexts.ts', import.meta.url), 'utf8');
    const codes = [...text.matchAll(/'((?:SITE|ROBOTS)_[A-Z_]+)'/g)].map((match) => match[1] ?? '');
    expect(codes.length).toBeGreaterThan(4);
    expect(codes.filter((code) => failureWords(code) === '')).toEqual([]);
    expect(failureWords('toString')).toBe('');
  });
});

describe('quality', () => {
  const submitted = (jobId: string, at: string, host = 'example.com') =>
    happened(`job-${jobId}`, at, 'JobSubmitted', {
      jobId,
      ...user,
      url: `https://${host}/`,
      host,
      bounds: { maxPages: 1, maxMs: 1 },
      access: 'full',
      submittedAt: at,
    });
  const ready = (jobId: string, at: string, score: number | null, formula?: number) =>
    happened(`job-${jobId}`, at, 'JobReportReady', {
      jobId,
      score,
      ...(formula === undefined ? {} : { formula }),
      ...(score === null ? { notJudged: 'refused' as const } : {}),
      pagesAudited: 1,
      findings: 1,
      highImpact: 0,
      files: [],
      readyAt: at,
    });
  const item = (id: string, checkId: string) => actionItem(id, { checkId });

  it('compares the first and the last score of sites that were audited several times', async () => {
    const log = await logOf(
      submitted('a', on(1)),
      ready('a', on(1), 60),
      submitted('b', on(9)),
      ready('b', on(9), 75),
      submitted('c', on(9), 'other.example'),
      ready('c', on(9), 10),
    );
    const result = await runReport(log, quality);
    expect(rowsOf(result, 'sites')).toEqual([
      { sites: 1, better: 1, same: 0, worse: 0, before: 60, after: 75, change: 15 },
    ]);
    expect(rowsOf(result, 'by-site')).toEqual([{ host: 'example.com', audits: 2, before: 60, after: 75, change: 15 }]);
    expect(rowsOf(await runReport(log, quality, { from: '2026-03-02' }), 'by-site')).toEqual([]);
  });

  it('leaves out sites that were not scored, and compares no scores of two formulas', async () => {
    const log = await logOf(
      ...['a', 'b', 'c', 'd', 'e'].map((jobId, nth) => submitted(jobId, on(nth + 1))),
      ready('a', on(1), 92),
      ready('b', on(2), null),
      ready('c', on(3), 60.4, 2),
      ready('d', on(4), null),
      ready('e', on(5), 71.6, 2),
      submitted('f', on(1), 'other.example'),
      ready('f', on(1), 90),
      submitted('g', on(5), 'other.example'),
      ready('g', on(5), 50, 2),
    );
    const result = await runReport(log, quality);
    expect(rowsOf(result, 'by-site')).toEqual([{ host: 'example.com', audits: 2, before: 60, after: 72, change: 12 }]);
    expect(rowsOf(result, 'sites')).toMatchObject([{ sites: 1, better: 1, worse: 0 }]);
    expect(rowsOf(result, 'scores')).toEqual([{ step: '2026-03-01', audits: 5, score: expect.closeTo(72.8) }]);
    const noteOf = ({ tables }: Awaited<ReturnType<typeof runReport>>) =>
      tables.find(({ name }) => name === 'scores')?.note ?? '';
    expect(noteOf(result)).toContain('The score’s formula changed within the range');
    expect(noteOf(await runReport(log, quality, { from: '2026-03-02' }))).toBe('');
  });

  it('excludes deleted audits, and their sites', async () => {
    const log = await logOf(
      ...[
        submitted('a', on(1)),
        ready('a', on(1), 60),
        submitted('b', on(2)),
        ready('b', on(2), 75),
        submitted('c', on(3)),
        ready('c', on(3), 80),
      ],
      happened('job-c', on(4), 'JobDeleted', { jobId: 'c', ...user, deletedAt: on(4) }),
    );
    expect(rowsOf(await runReport(log, quality), 'by-site')).toEqual([
      { host: 'example.com', audits: 2, before: 60, after: 75, change: 15 },
    ]);
    await write(
      log,
      happened('job-deletions-user-1', on(5), 'JobsDeleted', {
        ...user,
        jobIds: ['a', 'b', 'unknown'],
        deletedAt: on(5),
      }),
    );
    const result = await runReport(log, quality);
    expect([rowsOf(result, 'by-site'), rowsOf(result, 'scores')]).toEqual([[], []]);
  });

  it('shows for each check how many items were completed, how soon, and what was fixed', async () => {
    const plan = { jobId: 'a' };
    const verified = { outcome: 'fixed', fixed: 3, stillThere: 0, notChecked: 0, stillThereAt: [], notCheckedAt: [] };
    const log = await logOf(
      happened('plan-a', on(1), 'PlanGenerated', {
        ...plan,
        ...user,
        by: 'rules',
        count: 3,
        items: [item('1', 'title-missing'), item('2', 'title-missing')],
        generatedAt: on(1),
      }),
      happened('plan-a', on(1), 'PlanExtended', { ...plan, items: [item('3', 'alt-missing')] }),
      happened('plan-a', on(2), 'ActionCompleted', { ...plan, actionId: '1', completedAt: on(2) }),
      happened('plan-a', on(3), 'ActionCompleted', { ...plan, actionId: '3', completedAt: on(3) }),
      happened('plan-a', on(3), 'ActionReopened', { ...plan, actionId: '3', reopenedAt: on(3) }),
      happened('plan-a', on(4), 'ActionVerified', { ...plan, actionId: '1', verifiedAt: on(4), ...verified }),
    );
    const day = 24 * 60 * 60 * 1_000;
    expect(rowsOf(await runReport(log, quality), 'by-check')).toEqual([
      { check: 'title-missing', items: 2, completed: 1, share: 0.5, time: day, verified: 1, fixed: 3, stillThere: 0 },
      { check: 'alt-missing', items: 1, completed: 0, share: 0, time: null, verified: 0, fixed: 0, stillThere: 0 },
    ]);
    // Generated again, changed items continue under their new id, and count from their first creation.
    await write(
      log,
      happened('plan-a', on(9), 'PlanRegenerated', {
        ...plan,
        by: 'rules',
        count: 1,
        items: [item('9', 'title-missing')],
        kept: { 9: '1' },
        regeneratedAt: on(9),
      }),
      happened('plan-a', on(9), 'PlanExtended', { ...plan, items: [item('10', 'alt-missing')] }),
      happened('plan-a', on(11), 'ActionCompleted', { ...plan, actionId: '10', completedAt: on(11) }),
    );
    const titles = {
      check: 'title-missing',
      items: 1,
      completed: 1,
      share: 1,
      time: day,
      verified: 1,
      fixed: 3,
      stillThere: 0,
    };
    expect(rowsOf(await runReport(log, quality), 'by-check')).toEqual([
      titles,
      { check: 'alt-missing', items: 1, completed: 1, share: 1, time: 2 * day, verified: 0, fixed: 0, stillThere: 0 },
    ]);
    await write(log, happened('plan-a', on(12), 'PlanDeleted', { ...plan, deletedAt: on(12) }));
    expect(rowsOf(await runReport(log, quality), 'by-check')).toEqual([]);
  });

  it('leaves out optional items until they are tasks', async () => {
    const plan = { jobId: 'a' };
    const optional = (id: string, checkId: string) => ({ ...item(id, checkId), optional: true });
    const log = await logOf(
      happened('plan-a', on(1), 'PlanGenerated', {
        ...plan,
        ...user,
        by: 'rules',
        count: 3,
        items: [optional('1', 'og-missing'), optional('2', 'llms-missing'), optional('3', 'csp-missing')],
        generatedAt: on(1),
      }),
      happened('plan-a', on(2), 'ActionCompleted', { ...plan, actionId: '1', completedAt: on(2) }),
      happened('plan-a', on(2), 'ActionChosen', { ...plan, actionId: '2', chosen: true, chosenAt: on(2) }),
    );
    const checks = async () =>
      rowsOf(await runReport(log, quality), 'by-check').map(({ check, items }) => [check, items]);
    expect(await checks()).toEqual([
      ['og-missing', 1],
      ['llms-missing', 1],
    ]);
    await write(
      log,
      happened('plan-a', on(3), 'ActionChosen', { ...plan, actionId: '2', chosen: false, chosenAt: on(3) }),
      happened('plan-a', on(4), 'PlanRegenerated', {
        ...plan,
        by: 'rules',
        count: 2,
        items: [optional('4', 'og-missing'), optional('5', 'csp-missing')],
        kept: { 4: '1' },
        regeneratedAt: on(4),
      }),
    );
    expect(await checks()).toEqual([['og-missing', 1]]);
  });
});

describe('reconciliation', () => {
  const event = (eventId: string, at: string, more: object) =>
    happened(`stripe-${eventId}`, at, 'ProviderEventReceived', {
      eventId,
      createdAt: at,
      isLive: false,
      account: null,
      currency: 'usd',
      source: 'webhook',
      receivedAt: at,
      ...more,
    });
  const paid = (eventId: string, id: string, amount: number) =>
    event(eventId, on(1), {
      eventType: 'payment_intent.succeeded',
      objectId: id,
      amount,
      subject: { kind: 'payment', paymentIntentId: id },
    });
  const funds = (id: string, amount: number) =>
    happened('billing-user-1', on(1), 'FundsAdded', {
      ...user,
      paymentIntentId: id,
      amount,
      currency: 'usd',
      funds: amount,
      balance: amount,
      quantity: 1,
      addedAt: on(1),
    });

  it('lists differences between the provider and the bills', async () => {
    const log = await logOf(
      ...[paid('e1', 'pi_same', 5_000), funds('pi_same', 5_000)],
      ...[paid('e2', 'pi_less', 5_000), funds('pi_less', 4_000)],
      paid('e3', 'pi_theirs', 700),
      happened('stripe-e3', on(1), 'ProviderEventApplied', {
        eventId: 'e3',
        ...user,
        outcome: 'recorded',
        appliedAt: on(1),
      }),
      funds('pi_ours', 900),
      paid('e4', 'pi_waiting', 100),
      paid('e5', 'pi_others', 100_000),
      happened('stripe-e5', on(1), 'ProviderEventIgnored', {
        eventId: 'e5',
        userId: null,
        reason: 'not_ours',
        ignoredAt: on(1),
      }),
      event('e6', on(2), {
        eventType: 'charge.refunded',
        objectId: 'ch_1',
        amount: 5_000,
        subject: { kind: 'payment', paymentIntentId: 'pi_same' },
      }),
      happened('stripe-e6', on(2), 'ProviderEventApplied', {
        eventId: 'e6',
        ...user,
        outcome: 'nothing_new',
        appliedAt: on(2),
      }),
      // An inquiry, which takes no money yet; and a dispute missing from the bill.
      ...['e7', 'e8'].map((id) =>
        event(id, on(2), {
          eventType: 'charge.dispute.created',
          objectId: `dp_${id}`,
          amount: 5_000,
          subject: { kind: 'payment', paymentIntentId: 'pi_same' },
        }),
      ),
      happened('stripe-e7', on(2), 'ProviderEventApplied', {
        eventId: 'e7',
        ...user,
        outcome: 'nothing_new',
        appliedAt: on(2),
      }),
      happened('stripe-e8', on(2), 'ProviderEventApplied', {
        eventId: 'e8',
        ...user,
        outcome: 'recorded',
        appliedAt: on(2),
      }),
    );
    const result = await runReport(log, reconciliation);
    const found = Object.fromEntries(
      rowsOf(result, 'differences').map(({ id, why, difference }) => [`${id}`, [why, difference]]),
    );
    expect(found).toEqual({
      pi_same: ['The bill does not have it', null],
      pi_less: ['The amounts differ', 1_000],
      pi_theirs: ['The bill does not have it', 700],
      pi_ours: ['Not reported by the provider', -900],
      pi_waiting: ['On its way into the bill', 100],
      dp_e8: ['The bill does not have it', 5_000],
    });
    expect(rowsOf(result, 'over-time')).toEqual([
      { step: '2026-03-01', currency: 'usd', payments: 5, provider: 10_800, ledger: 9_900, difference: 900 },
    ]);
  });

  it('lists an invoice and its payment once where the bill has neither, and nothing else with them', async () => {
    const invoice = (eventId: string, id: string, at: string, amount = 2_900) =>
      event(eventId, at, {
        eventType: 'invoice.paid',
        objectId: id,
        amount,
        subject: { kind: 'invoice', invoiceId: id },
      });
    const minute = (nth: number): string => on(1).replace('12:00', `12:${String(nth).padStart(2, '0')}`);
    const payment = (eventId: string, id: string, at: string, amount = 2_900) =>
      event(eventId, at, {
        eventType: 'payment_intent.succeeded',
        objectId: id,
        amount,
        subject: { kind: 'payment', paymentIntentId: id },
      });
    const log = await logOf(
      ...[payment('e1', 'pi_1', minute(0)), invoice('e2', 'in_1', minute(1))],
      // Another sum, another time, and one payment more than there are invoices.
      ...[
        payment('e3', 'pi_2', minute(1), 5_000),
        payment('e4', 'pi_3', minute(9)),
        invoice('e5', 'in_2', minute(20)),
        payment('e6', 'pi_4', minute(20)),
      ],
      payment('e7', 'pi_5', minute(20)),
    );
    const result = await runReport(log, reconciliation);
    expect(
      rowsOf(result, 'differences')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['in_1', 'in_2', 'pi_2', 'pi_3', 'pi_5']);
    expect(rowsOf(result, 'over-time')).toEqual([
      expect.objectContaining({ payments: 5, provider: 4 * 2_900 + 5_000 }),
    ]);
  });

  it('counts an invoice and its payment as one', async () => {
    const started = {
      ...user,
      subscriptionId: 'sub_1',
      asOf: on(1),
      tier: 'tier1',
      status: 'active',
      price: 2_900,
      currency: 'usd',
      periodStart: on(1),
      periodEnd: on(30),
      startedAt: on(1),
    };
    const log = await logOf(
      event('e1', on(1), {
        eventType: 'invoice.paid',
        objectId: 'in_1',
        amount: 2_900,
        subject: { kind: 'invoice', invoiceId: 'in_1' },
      }),
      paid('e2', 'pi_1', 2_900),
      happened('billing-user-1', on(1), 'SubscriptionStarted', {
        ...started,
        paid: { invoiceId: 'in_1', paymentIntentId: 'pi_1', amount: 2_900, currency: 'usd' },
      }),
    );
    const result = await runReport(log, reconciliation);
    expect(tableIn(result, 'differences').rows).toEqual([]);
    expect(rowsOf(result, 'over-time')).toEqual([
      expect.objectContaining({ payments: 1, provider: 2_900, ledger: 2_900, difference: 0 }),
    ]);
  });
});
