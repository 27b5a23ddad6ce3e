/** Content of a job beside its facts: files, working data, action items; its deletion erases all of it. */

import { describe, expect, it } from 'vitest';
import { deleteCrawl } from '../../src/commands/job/crawlParts.ts';
import { contentStreams, deleteJob, eraseJobContent } from '../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { readReportFile, writeReportFile } from '../../src/commands/job/writeReportFile.ts';
import { writeReportRows } from '../../src/commands/job/writeReportRows.ts';
import { generatePlan, readPlan } from '../../src/commands/plan/generatePlan.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { type ActionItem, planStream } from '../../src/domain/plan/events.ts';
import type { ReportRowsWritten } from '../../src/domain/report/events.ts';
import { crawlStream, MAX_PART_BYTES, reportStream } from '../../src/domain/report/events.ts';
import { splitText } from '../../src/domain/report/report.ts';
import { type EventStore, StreamDeleted } from '../../src/eventStore/eventStore.ts';
import { createDeletedJobs } from '../../src/work/followers/deletedJobs.ts';
import { completeJob, decideOn, failJob, workOn } from '../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { loadCrawlText, saveCrawlText } from '../given/crawlTexts.ts';
import { foundAt, foundCheck, report } from '../given/found.ts';
import { followLog } from '../given/work/following.ts';

async function submitted(): Promise<{ made: Product; jobId: string; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made);
  const sites = [{ url: 'https://one.example/', host: 'one.example' }];
  const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 50, maxMs: 180_000 } });
  return { made, jobId: jobIds[0] ?? '', userId };
}
const item = (id: string): ActionItem => ({
  id,
  checkId: 'title-missing',
  findingIds: ['f1'],
  title: 'Write titles',
  category: 'content',
  impact: 'high',
  difficulty: 'easy',
  timeEstimate: 15,
  businessValue: 'More clicks',
  timeToResult: '2-4 weeks',
  problem: 'None.',
  solution: 'Write one.',
  codeExample: null,
  tags: [],
  pages: [],
  evidence: [],
});

describe('the files of a running job', () => {
  it('are stored whole, whatever their size', async () => {
    const { made, jobId, userId } = await submitted();
    await workOn(made, jobId, 'report');
    const text = '"ü😀"\n'.repeat(120_000);
    await writeReportFile(made.context(), { jobId, userId, name: 'pages.csv', text });
    await writeReportFile(made.context(), { jobId, userId, name: 'findings.json', text: '' });
    expect(await readReportFile(made.store, jobId, 'pages.csv')).toBe(text);
    expect(await readReportFile(made.store, jobId, 'findings.json')).toBe('');
    expect(await readReportFile(made.store, jobId, 'action-items.md')).toBeNull();
    for (const event of await made.log())
      expect(Buffer.byteLength(JSON.stringify(event.data))).toBeLessThan(MAX_PART_BYTES + 1_000);
  });

  it('are written once when a worker repeats its step', async () => {
    const { made, jobId, userId } = await submitted();
    await workOn(made, jobId, 'report');
    for (const text of ['a', 'a', 'b', 'b'])
      await writeReportFile(made.context(), { jobId, userId, name: 'pages.csv', text });
    expect(await made.types('report-')).toEqual(['ReportPartWritten', 'ReportPartWritten']);
    expect(await readReportFile(made.store, jobId, 'pages.csv')).toBe('b');
  });

  it('have rows beside them, in as many appends as needed, written once', async () => {
    const { made, jobId, userId } = await submitted();
    await workOn(made, jobId, 'evidence');
    const long = 'x'.repeat(20_000);
    const findings = Array.from({ length: 60 }, (_, n) =>
      foundAt('thin', `https://www.example.com/${n}`, { message: long }),
    );
    const rows = report({ findings, checks: [foundCheck('thin')] });
    for (let times = 0; times < 2; times += 1) await writeReportRows(made.context(), { jobId, userId, report: rows });
    const written = (await made.log()).flatMap(({ type, data }) =>
      type === 'ReportRowsWritten' ? [data as ReportRowsWritten['data']] : [],
    );
    expect(written.map(({ kind, part, parts }) => `${kind} ${part}/${parts}`)).toEqual([
      'findings 0/5',
      'findings 1/5',
      'findings 2/5',
      'findings 3/5',
      'findings 4/5',
      'pages 0/1',
      'overview 0/1',
    ]);
    expect(written.flatMap(({ kind, rows: part }) => (kind === 'findings' ? part : []))).toEqual(rows.findings);
    const other = report();
    await writeReportRows(made.context(), { jobId, userId, report: other });
    expect((await made.types('report-')).slice(written.length)).toHaveLength(3);
  });

  it('are refused once the job has ended', async () => {
    const { made, jobId, userId } = await submitted();
    await failJob(made, jobId);
    const late = writeReportFile(made.context(), { jobId, userId, name: 'pages.csv', text: 'late' });
    await expect(late).rejects.toMatchObject({ code: 'JOB_ALREADY_FINISHED' });
    await expect(writeReportRows(made.context(), { jobId, userId, report: report() })).rejects.toMatchObject({
      code: 'JOB_ALREADY_FINISHED',
    });
  });
});

describe('erasing a job', () => {
  it('requests all of its streams at once, so that a store can write once', async () => {
    const { made } = await submitted();
    const asked: string[] = [];
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const remove = async (stream: string): Promise<void> => {
      asked.push(stream);
      // No request is answered before the last one has arrived.
      if (asked.length === contentStreams('job-1').length) answer();
      await answered;
    };
    await eraseJobContent(made.context('command-1', { ...made.store, delete: remove }), 'job-1');
    expect(asked).toEqual(contentStreams('job-1'));
  });
});

describe('a large text', () => {
  const TEXT = 'a"\u0001ü'.repeat(250_000);
  /** EventStoreDB's default limit of an append: data, metadata and names together. */
  const LIMIT = 1024 * 1024;

  function watched(made: Product, context = made.context()) {
    const sizes: number[] = [];
    const append: typeof made.store.append = async (stream, events, options) => {
      sizes.push(Buffer.byteLength(JSON.stringify(events)));
      return made.store.append(stream, events, options);
    };
    return { sizes, context: { ...context, store: { ...made.store, append } } };
  }

  it('is written in appends that fit every store', async () => {
    const { made, jobId, userId } = await submitted();
    await workOn(made, jobId, 'report');
    const { sizes, context } = watched(made);
    await saveCrawlText(context, { jobId, name: 'crawl', text: TEXT });
    await writeReportFile(context, { jobId, userId, name: 'findings.json', text: TEXT });
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes)).toBeLessThan(LIMIT);
    expect(await loadCrawlText(made.store, jobId, 'crawl')).toBe(TEXT);
    expect(await readReportFile(made.store, jobId, 'findings.json')).toBe(TEXT);
  });

  it('is absent until it is complete, and is resumed where it broke off', async () => {
    const { made, jobId, userId } = await submitted();
    await workOn(made, jobId, 'report');
    const before = (await made.log()).length;
    const { sizes, context } = watched(made, made.context('command-1'));
    const breaking = {
      ...context.store,
      append: (...given: Parameters<typeof context.store.append>) =>
        sizes.length === 1 ? Promise.reject(new Error('down')) : context.store.append(...given),
    };
    await expect(
      writeReportFile({ ...context, store: breaking }, { jobId, userId, name: 'findings.json', text: TEXT }),
    ).rejects.toThrow('down');
    expect(await readReportFile(made.store, jobId, 'findings.json')).toBeNull();
    await writeReportFile(made.context('command-1'), { jobId, userId, name: 'findings.json', text: TEXT });
    expect(await readReportFile(made.store, jobId, 'findings.json')).toBe(TEXT);
    expect((await made.log()).length - before).toBe(splitText(TEXT).length);
  });

  it('of a replaced attempt is refused, before the new attempt has written and after', async () => {
    const { made, jobId, userId } = await submitted();
    const begin = () => decideOn(made, jobId, { type: 'StartJob', at: made.now() });
    const save = (attempt: number, text: string) =>
      saveCrawlText(made.context(), { jobId, name: 'crawl', text, attempt });
    const write = (attempt: number, text: string, store = made.store) =>
      writeReportFile({ ...made.context(), store }, { jobId, userId, name: 'pages.csv', text, attempt });
    await begin();
    await save(1, 'first');
    await write(1, 'first');
    await begin();
    const gone = { code: 'JOB_TAKEN_OVER' };
    await expect(save(1, 'late')).rejects.toMatchObject(gone);
    await expect(write(1, 'late')).rejects.toMatchObject(gone);
    await save(2, 'second');
    await write(2, 'second');
    // A worker that read the job before it was taken over finds the other's parts when it writes.
    const seen: EventStore = Object.assign(Object.create(made.store) as EventStore, {
      read: async (stream: string, ...more: []) =>
        stream === jobStream(jobId) ? ({ status: 'missing' } as const) : made.store.read(stream, ...more),
    });
    await expect(write(1, 'late', seen)).rejects.toMatchObject(gone);
    await expect(
      saveCrawlText({ ...made.context(), store: seen }, { jobId, name: 'crawl', text: 'late', attempt: 1 }),
    ).rejects.toMatchObject(gone);
    expect([
      await loadCrawlText(made.store, jobId, 'crawl'),
      await readReportFile(made.store, jobId, 'pages.csv'),
    ]).toEqual(['second', 'second']);
  });

  it('of two workers is never mixed', async () => {
    const { made, jobId, userId } = await submitted();
    await workOn(made, jobId, 'report');
    const texts = ['1', '2'].map((mark) => mark.repeat(MAX_PART_BYTES * 5));
    await Promise.all(
      texts.flatMap((text) => [
        saveCrawlText(made.context(), { jobId, name: 'crawl', text }),
        writeReportFile(made.context(), { jobId, userId, name: 'pages.csv', text }).catch((error: unknown) =>
          expect(String(error)).toMatch(/Another worker/),
        ),
      ]),
    );
    expect(texts).toContain(await loadCrawlText(made.store, jobId, 'crawl'));
    expect([...texts, null]).toContain(await readReportFile(made.store, jobId, 'pages.csv'));
  });
});

describe('working data', () => {
  it('is stored under its name, and the last one counts', async () => {
    const { made, jobId } = await submitted();
    const large = 'x'.repeat(MAX_PART_BYTES * 2 + 7);
    await saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'old' });
    await saveCrawlText(made.context(), { jobId, name: 'discovery', text: 'found' });
    await saveCrawlText(made.context(), { jobId, name: 'crawl', text: large });
    expect(await loadCrawlText(made.store, jobId, 'crawl')).toBe(large);
    expect(await loadCrawlText(made.store, jobId, 'discovery')).toBe('found');
    expect(await loadCrawlText(made.store, jobId, 'analysis')).toBeNull();
    expect(await loadCrawlText(made.store, 'other', 'crawl')).toBeNull();
  });

  it('is saved once per command id, however often requested', async () => {
    const { made, jobId } = await submitted();
    for (const text of ['a', 'b']) await saveCrawlText(made.context('command-1'), { jobId, name: 'crawl', text });
    expect(await loadCrawlText(made.store, jobId, 'crawl')).toBe('b');
  });

  it('can be saved by two workers at once without losing either name', async () => {
    const { made, jobId } = await submitted();
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => saveCrawlText(made.context(), { jobId, name, text: name.repeat(3) })),
    );
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((name) => loadCrawlText(made.store, jobId, name)))).toEqual([
      'aaa',
      'bbb',
      'ccc',
      'ddd',
    ]);
  });

  it('is erased for good when deleted', async () => {
    const { made, jobId } = await submitted();
    await saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'a' });
    await deleteCrawl(made.store, jobId);
    expect(await loadCrawlText(made.store, jobId, 'crawl')).toBeNull();
    await expect(saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'late' })).rejects.toBeInstanceOf(
      StreamDeleted,
    );
  });
});

describe('the plan of a job', () => {
  it('is created once: a worker that repeats the step gets the first', async () => {
    const { made, jobId, userId } = await submitted();
    expect(await readPlan(made.store, jobId)).toBeNull();
    const first = await generatePlan(made.context(), { jobId, userId, by: 'AI', items: [item('i1'), item('i2')] });
    const again = await generatePlan(made.context(), { jobId, userId, by: 'Built-in analyst', items: [item('i9')] });
    expect(again).toEqual(first);
    expect(again).toMatchObject({ by: 'AI', items: [{ id: 'i1' }, { id: 'i2' }] });
    expect(await readPlan(made.store, jobId)).toMatchObject({ by: 'AI', items: [{ id: 'i1' }, { id: 'i2' }] });
    expect(await made.types('plan-')).toEqual(['PlanGenerated']);
  });
});

describe('deleting a job', () => {
  const contentOf = async ({ store }: Product, jobId: string) =>
    Promise.all(
      [planStream(jobId), reportStream(jobId), crawlStream(jobId)].map(
        async (stream) => (await store.read(stream)).status,
      ),
    );

  it('erases all findings and keeps the fact of the job', async () => {
    const { made, jobId, userId } = await submitted();
    await saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'pages' });
    await completeJob(made, jobId, userId);
    const { position } = await deleteJob(made.context(), { jobId });
    expect(await contentOf(made, jobId)).toEqual(['deleted', 'deleted', 'deleted']);
    const left = (await made.log()).filter((event) => event.stream.endsWith(jobId));
    expect(new Set(left.map((event) => event.stream))).toEqual(new Set([`job-${jobId}`]));
    expect(left.at(-1)).toMatchObject({ type: 'JobDeleted', position });
  });

  it('leaves nothing that a worker could restore', async () => {
    const { made, jobId, userId } = await submitted();
    await failJob(made, jobId);
    await deleteJob(made.context(), { jobId });
    await expect(generatePlan(made.context(), { jobId, userId, by: 'AI', items: [] })).rejects.toBeInstanceOf(
      StreamDeleted,
    );
    await expect(saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'late' })).rejects.toBeInstanceOf(
      StreamDeleted,
    );
    await expect(
      writeReportFile(made.context(), { jobId, userId, name: 'pages.csv', text: 'late' }),
    ).rejects.toMatchObject({ code: 'JOB_ALREADY_FINISHED' });
  });

  it('waits for its end', async () => {
    const { made, jobId } = await submitted();
    await expect(deleteJob(made.context(), { jobId })).rejects.toMatchObject({ code: 'JOB_NOT_FINISHED' });
    await expect(deleteJob(made.context(), { jobId: 'none' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('can be repeated', async () => {
    const { made, jobId, userId } = await submitted();
    await completeJob(made, jobId, userId);
    const first = await deleteJob(made.context('command-1'), { jobId });
    expect(await deleteJob(made.context('command-1'), { jobId })).toEqual(first);
    expect(await deleteJob(made.context(), { jobId })).toEqual(first);
  });

  it('is finished by a repeat or by the follower after a crash', async () => {
    for (const mend of ['repeat', 'follow'] as const) {
      const deaths = await atEveryCrash(async (breaking) => {
        const { made, jobId, userId } = await submitted();
        await saveCrawlText(made.context(), { jobId, name: 'crawl', text: 'pages' });
        await completeJob(made, jobId, userId);
        await orCrash(deleteJob(made.context('command-1', breaking(made.store)), { jobId }));
        if (mend === 'repeat') await deleteJob(made.context('command-1'), { jobId });
        else await followLog(made.store, createDeletedJobs(made));
        const deleted = (await made.types('job-')).includes('JobDeleted');
        expect(await contentOf(made, jobId)).toEqual(
          deleted ? ['deleted', 'deleted', 'deleted'] : ['found', 'found', 'found'],
        );
        if (mend === 'repeat') expect(deleted).toBe(true);
      });
      expect(deaths).toBe(16);
    }
  });
});
