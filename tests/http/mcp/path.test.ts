/** Assistants go the whole way, in both eras of the protocol: from an audit to a fix that is proved. */
import { afterEach, describe, expect, it } from 'vitest';
import { givenCompleted } from '../../given/analysis.ts';
import { type AuditedSite, auditedSite } from '../../given/audit/audited.ts';
import { type Assistant, connect, ERAS, keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const page = (head: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main><h1>Tea</h1></main></body></html>`;

async function started(
  era: (typeof ERAS)[number],
  reworkWaitMs = 20_000,
): Promise<{ app: TestApp; audited: AuditedSite; assistant: Assistant }> {
  const audited = await auditedSite({ '/': page('') });
  closers.push(audited.close);
  const app = await startTestApp({
    followUp: audited.followUp,
    allowHosts: [audited.site.host],
    config: { reworkWaitMs },
  });
  closers.push(() => app.close());
  const user = await app.signUp();
  const assistant = await connect(app, await keyOf(user), { era });
  closers.push(assistant.close);
  return { app, audited, assistant };
}

describe.each(ERAS)('an assistant of the %s era', (era) => {
  it('audits a site, reads what was found, gets the fix, and proves it', async () => {
    const { app, audited, assistant } = await started(era);
    const { call } = assistant;
    const { audit_id } = await call('audit_site', { url: audited.site.origin, confirm: true });
    expect(await call('get_audit', { audit_id })).toMatchObject({ audit_id, done: false, status: 'queued' });
    const user = (await app.readModels.get<{ userId: string }>('jobs', audit_id))?.data.userId ?? '';
    await givenCompleted(
      app,
      user,
      { jobId: audit_id, url: `${audited.site.origin}/` },
      { items: audited.items, findings: audited.findings },
    );
    const audit = await call('get_audit', { audit_id, wait_seconds: 25 });
    expect(audit).toMatchObject({
      done: true,
      status: 'completed',
      change_since_last: { why_none: expect.any(String) },
    });
    const issue = audit.top_issues.find(({ check }: { check: string }) => check === 'title-missing');
    expect(issue.task_id).toBe('title-missing');
    const { findings } = await call('list_findings', { audit_id, check: 'title-missing' });
    expect(findings[0]).toMatchObject({ page: `${audited.site.origin}/`, untrusted: { message: expect.any(String) } });
    const fix = await call('get_fix', { task_id: issue.task_id, audit_id });
    expect(fix).toMatchObject({ places_total: 1, places: [{ check: 'title-missing' }], steps: expect.any(Array) });
    expect(await call('verify_fix', { task_id: issue.task_id, audit_id })).toMatchObject({
      outcome: 'still_failing',
      completed: false,
    });
    audited.site.pages['/'] = page('<title>Tea from Assam, first flush</title>');
    expect(await call('verify_fix', { task_id: issue.task_id, audit_id })).toMatchObject({
      done: true,
      outcome: 'fixed',
      completed: true,
      results: [{ state: 'fixed' }],
    });
    const { tasks } = await call('list_tasks', { audit_id, status: 'completed' });
    expect(tasks).toMatchObject([{ task_id: 'title-missing', verified: 'fixed' }]);
  });
});

it('waits for a verification that takes longer than a request does', async () => {
  const { app, audited, assistant } = await started('modern', 1);
  const { audit_id } = await assistant.call('audit_site', { url: audited.site.origin, confirm: true });
  const { userId } = (await app.readModels.get<{ userId: string }>('jobs', audit_id))?.data ?? { userId: '' };
  const job = { jobId: audit_id, url: `${audited.site.origin}/` };
  await givenCompleted(app, userId, job, { items: audited.items, findings: audited.findings });
  const task = { task_id: 'title-missing', audit_id };
  expect(await assistant.call('verify_fix', task)).toMatchObject({
    done: true,
    outcome: 'still_failing',
    still_there_at: [{ page: `${audited.site.origin}/` }],
  });
});
