/** One audit on every surface: the same issues, with the same impact, points and minutes, in the same order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FindingsDocument } from '../../src/audit/report/findingsFormat.ts';
import type { ActionView } from '../../src/http/contract/actions.ts';
import type { CausesResponse } from '../../src/http/contract/findings.ts';
import { durationText, totalText } from '../../src/model/wording.ts';
import { type ApiClient, FINAL, logIn } from '../given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { runProgram } from '../given/product/program.ts';

type Issue = NonNullable<FindingsDocument['issues']>[number];

/** Places in a text, which must stand in this order. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    expect(found, `“${part}” after “${text.slice(Math.max(0, at - 60), at)}”`).toBeGreaterThanOrEqual(0);
    at = found + part.length;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('an audit', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let admin: ApiClient;
  let jobId: string;
  let issues: readonly Issue[];
  let score: number;
  let faults: readonly Issue[];
  let actions: readonly ActionView[];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    admin = await logIn(server.url, server.admin);
    const job = await admin.submit(server.demoSite);
    jobId = job.id;
    await admin.waitForJob(jobId, (now) => FINAL.has(now.status));
    const findings = JSON.parse(await admin.file(jobId, 'findings.json')) as FindingsDocument;
    issues = findings.issues ?? [];
    score = findings.score?.value ?? 0;
    faults = issues.filter(({ optional }) => !optional);
    const board = await admin.call<{ actions: ActionView[] }>('GET', `/api/v1/actions?jobId=${jobId}`);
    actions = board.body.actions;
  });
  afterAll(async () => {
    await server.stop();
    data.remove();
  });

  it('loses the points of its issues, and nothing else', () => {
    expect(faults.length).toBeGreaterThan(8);
    expect(sum(issues.map(({ points }) => Math.round(points * 10)))).toBe(1000 - Math.round(score * 10));
    expect(issues.filter(({ optional, points }) => optional && points > 0)).toEqual([]);
  });

  it('has the same issues in the list of findings, each with its task', async () => {
    const { body } = await admin.call<CausesResponse>('GET', `/api/v1/jobs/${jobId}/causes`);
    const { causes } = body.data;
    expect(
      causes.map(({ checkId, title, category, impact, optional, points, minutes, pages, findings, roots }) => ({
        ...{ checkId, title, category, impact, optional, points, minutes, pages, findings, roots },
      })),
    ).toEqual(issues.map(({ where: _, settles: __, ...rest }) => rest));
    expect(causes.filter(({ optional }) => !optional).map(({ task }) => task?.status)).toEqual(
      faults.map(() => 'todo'),
    );
  });

  it('has the same issues as tasks', async () => {
    const tasks = actions.filter(({ optional }) => !optional);
    expect(tasks.map(({ id, category, impact, time_estimate }) => [id, category, impact, time_estimate])).toEqual(
      faults.map(({ checkId, category, impact, minutes }) => [checkId, category, impact, minutes]),
    );
    for (const [at, { title, reason }] of tasks.entries()) {
      expect(title).toContain(faults[at]?.title);
      expect(reason).toContain(`about ${durationText(faults[at]?.minutes ?? 0)} of work`);
    }
    expect((await admin.job(jobId)).action_count).toBe(faults.length);
  });

  it('has one status for an issue and its task', async () => {
    const [first] = faults;
    await admin.call('PUT', `/api/v1/actions/${first?.checkId}/progress`, { jobId, status: 'completed' });
    const { body } = await admin.call<CausesResponse>('GET', `/api/v1/jobs/${jobId}/causes`);
    expect(body.data.causes.slice(0, 2).map(({ task }) => task?.status)).toEqual(['completed', 'todo']);
  });

  it('is told the same in its files', async () => {
    const [report, list, summary] = await Promise.all(
      ['seo-audit-report.md', 'action-items.md', 'executive-summary.md'].map((name) => admin.file(jobId, name)),
    );
    const minutes = sum(faults.map((issue) => issue.minutes));
    const high = faults.filter(({ impact }) => impact === 'high');
    expect(report).toContain(`${faults.length} issues to fix`);
    expect(report).toContain(`, ${faults.length} issues to fix (${high.length} high`);
    expect(report).toContain(`: ${totalText(minutes)} of work.`);
    expectInOrder(
      report?.slice(report.indexOf('## Findings')) ?? '',
      issues.flatMap((issue) => [`#### ${issue.title}\n`, `about ${durationText(issue.minutes)} ·`]),
    );
    expect(list).toContain(`${faults.length} items, ${totalText(minutes)} of work in total.`);
    expectInOrder(
      list ?? '',
      faults.flatMap((issue, at) => [`## ${at + 1}. `, `· ${durationText(issue.minutes)} ·`]),
    );
    expect(summary).toContain(`${faults.length} action items, ${high.length} of them high impact.`);
    expect(summary).toContain(`Estimated effort: ${totalText(minutes)} for someone who knows the site`);
    expectInOrder(
      summary ?? '',
      faults.slice(0, 3).map(({ title }, at) => `${at + 1}. **${title}`),
    );
  });

  it('is shared and mailed with the same first things', async () => {
    const { body } = await admin.call<{ data: { shareUrl: string } }>('POST', '/api/v1/share/create', {
      jobId,
      title: 'All of it',
      shareMode: 'full',
    });
    const token = new URL(body.data.shareUrl).pathname.split('/').at(-1);
    const shared = await admin.call<{ data: { actions: ActionView[] } }>('GET', `/api/v1/share/${token}`);
    expect(shared.body.data.actions.map(({ id, time_estimate }) => [id, time_estimate])).toEqual(
      actions.map(({ id, time_estimate }) => [id, time_estimate]),
    );
    const outbox = join(data.dir, 'outbox');
    const isDone = (text: string): boolean => text.includes(`jobId=${jobId}`);
    await expect
      .poll(() => readdirSync(outbox).filter((file) => isDone(readFileSync(join(outbox, file), 'utf8'))))
      .not.toEqual([]);
    const [mail] = readdirSync(outbox)
      .map((file) => readFileSync(join(outbox, file), 'utf8'))
      .filter(isDone);
    expectInOrder(
      mail ?? '',
      faults.slice(0, 3).flatMap(({ title, minutes }) => [title.slice(0, 40), `about ${durationText(minutes)}`]),
    );
  });

  it('reads the same in a terminal and as a page', async () => {
    const [saved, page] = [join(data.dir, 'saved.json'), join(data.dir, 'report.html')];
    const { host } = new URL(server.demoSite);
    const files = ['--save', saved, '--html', page];
    const { output } = await runProgram('audit', [server.demoSite, '--allow-host', host, ...files], {});
    const own = (JSON.parse(readFileSync(saved, 'utf8')) as FindingsDocument).issues ?? [];
    const ownFaults = own.filter(({ optional }) => !optional);
    expect(own.map(({ checkId }) => checkId).sort()).toEqual(issues.map(({ checkId }) => checkId).sort());
    expectInOrder(
      output,
      ownFaults.flatMap(({ title, minutes }) => [title, `about ${durationText(minutes)} ·`]),
    );
    expect(output).toContain(`${ownFaults.length} issues to fix`);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain(`${ownFaults.length} issues to fix`);
    expectInOrder(
      html.slice(html.indexOf('id="findings"')),
      own.flatMap(({ title, minutes }) => [`<h3>${title}</h3>`, `about ${durationText(minutes)} ·`]),
    );
  });
});
