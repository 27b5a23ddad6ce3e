/** Resources, prompts and completions; waiting for an end; what is counted and recorded. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { takeSlot } from '../../../src/http/request/slots.ts';
import { givenAnalysis, givenCompleted, givenJob } from '../../given/analysis.ts';
import { type Assistant, connect, ERAS, keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';

let app: TestApp;
let user: TestUser;
let assistant: Assistant;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  user = await app.signUp();
  assistant = await connect(app, await keyOf(user));
});
afterAll(async () => {
  await assistant.close();
  await app.close();
});

const textOf = async (uri: string): Promise<string> => {
  const [content] = (await assistant.client.readResource({ uri })).contents;
  return (content as { text: string }).text;
};

describe('resources', () => {
  it('are listed and read: checks by everybody, files and tasks by their owner', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { resources } = await assistant.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['seo://checks', 'seo://tasks']);
    expect((await assistant.client.listResourceTemplates()).resourceTemplates).toHaveLength(4);
    expect(JSON.parse(await textOf('seo://checks'))).toHaveLength(CHECKS.length);
    expect(JSON.parse(await textOf('seo://checks/title-missing'))).toMatchObject({ id: 'title-missing' });
    expect(JSON.parse(await textOf('seo://tasks')).untrusted[0]).toMatchObject({ id: 'first', job_id: jobId });
    expect(await textOf(`seo://audits/${jobId}/summary`)).toContain('All in all');
    expect(JSON.parse(await textOf(`seo://audits/${jobId}/findings`))).toHaveProperty('findings');
  });

  it('that are none, or of a job without them, are not found', async () => {
    for (const uri of ['seo://audits/x/y', 'seo://checks/no-such-check', 'seo://audits/x/report', 'file:///etc/passwd'])
      await expect(textOf(uri)).rejects.toThrow(/not found/i);
  });
});

describe('prompts', () => {
  it('are five, and name what they were given', async () => {
    const { prompts } = await assistant.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'triage_site',
      'fix_next_task',
      'client_summary',
      'explain_drop',
      'gate_release',
    ]);
    for (const { name, arguments: taken = [] } of prompts) {
      const given = Object.fromEntries(taken.map((each) => [each.name, `my-${each.name}`]));
      const { messages } = await assistant.client.getPrompt({ name, arguments: given });
      for (const value of Object.values(given)) expect(JSON.stringify(messages)).toContain(value);
    }
  });

  it('and resources complete names of sites and checks', async () => {
    await givenAnalysis(app, user.userId, { host: 'tea.example' });
    const complete = async (name: string, value: string) =>
      (
        await assistant.client.complete({
          ref: { type: 'ref/prompt', name: 'triage_site' },
          argument: { name, value },
        })
      ).completion.values;
    expect(await complete('site', 'tea')).toEqual(['tea.example']);
    expect(await complete('check', 'title-mi')).toEqual(['title-missing']);
    expect(await complete('language', 'e')).toEqual([]);
  });
});

describe.each(ERAS)('a call of the %s era that waits', (era) => {
  it('tells how far it is, and answers as soon as the audit ends', async () => {
    const waiting = await connect(app, await keyOf(user), { era });
    const job = await givenJob(app, user.userId);
    const told: string[] = [];
    const answer = waiting.client.callTool(
      { name: 'get_audit', arguments: { audit_id: job.jobId, wait_seconds: 25 } },
      {
        onprogress: ({ message = '' }) => {
          told.push(message);
          if (told.length === 1) void givenCompleted(app, user.userId, job);
        },
      },
    );
    expect((await answer).structuredContent).toMatchObject({ done: true });
    expect(told[0]).toMatch(/Waiting/);
    await waiting.close();
  });
});

describe('calls', () => {
  it('of one key beyond four that wait answer at once', async () => {
    const busy = await connect(app, await keyOf(user));
    const { jobId: audit_id } = await givenJob(app, user.userId);
    const stopping = new AbortController();
    const wait = () =>
      busy.client
        .callTool({ name: 'get_audit', arguments: { audit_id, wait_seconds: 25 } }, { signal: stopping.signal })
        .catch(() => 'stopped');
    const waiting = [wait(), wait(), wait(), wait()];
    let first: unknown = null;
    // Whichever comes fifth: none of the others ends by itself so soon.
    first = await Promise.race([...waiting, wait()]);
    expect((first as { structuredContent: object }).structuredContent).toMatchObject({ done: false });
    stopping.abort();
    expect(await Promise.all(waiting)).toContain('stopped');
    // Nobody waits any more on the server, either.
    const [{ id: keyId }] = (await user.call('GET', '/api/v1/api-keys')).body.data;
    await vi.waitFor(() => {
      const end = takeSlot(app.deps.readModels, `assistants of ${keyId}`, 1, new AbortController().signal);
      expect(end).not.toBeNull();
      end?.();
    }, 5_000);
    await busy.close();
  });

  it('are counted by tool and outcome, for the operator', async () => {
    await assistant.call('list_audits');
    await assistant.refused('get_audit', { audit_id: 'nothing' });
    const metrics = await app.deps.metrics.render({});
    expect(metrics).toMatch(/mcp_tool_calls_total\{tool="list_audits",outcome="answered"\} [1-9]/);
    expect(metrics).toMatch(/mcp_tool_calls_total\{tool="get_audit",outcome="refused"\} [1-9]/);
    expect(app.deps.mcp.calls().get('get_audit')?.refused).toBeGreaterThan(0);
    await expect(app.deps.mcp.discover()).resolves.toBeUndefined();
  });

  it('are listed by tool for the owner of the key, who has several', async () => {
    const [key, other] = [await keyOf(user), await keyOf(user)];
    const used = await connect(app, key);
    for (let nth = 0; nth < 3; nth += 1) await used.call('list_audits');
    await used.refused('get_audit', { audit_id: 'nothing' });
    await used.close();
    await app.deps.mcp.close();
    const { body } = await user.call('GET', '/api/v1/api-keys');
    const callsOf = (text: string) =>
      body.data.find(({ hint }: { hint: string }) => text.endsWith(hint)).assistant_calls;
    expect(callsOf(key)).toEqual(
      expect.arrayContaining([
        { tool: 'list_audits', calls: 3, last_at: app.deps.now() },
        { tool: 'get_audit', calls: 1, last_at: app.deps.now() },
      ]),
    );
    expect(callsOf(key)).toHaveLength(2);
    expect(callsOf(other)).toEqual([]);
  });

  it('are recorded as those of the key', async () => {
    const { jobId: audit_id } = await givenAnalysis(app, user.userId);
    await assistant.call('update_task', { audit_id, task_id: 'first', notes: 'By an assistant' });
    const { events } = await app.store.readAll({
      direction: 'backward',
      limit: 5,
      filter: { streamPrefixes: [`plan-${audit_id}`] },
    });
    expect(events[0]?.metadata.actor).toMatchObject({ kind: 'apiKey' });
  });

  it('of a write with the same key do nothing twice', async () => {
    const args = { url: 'example.com', confirm: true, idempotency_key: 'once' };
    const [one, two] = [await assistant.call('audit_site', args), await assistant.call('audit_site', args)];
    expect(two.audit_id).toBe(one.audit_id);
  });

  it('page through lists of audits, and share a report', async () => {
    const { jobId: audit_id } = await givenAnalysis(app, user.userId, { host: 'shared.example' });
    expect(await assistant.call('list_audits', { site: 'shared.example', status: 'done' })).toMatchObject({
      audits: [{ audit_id, site: 'shared.example', score: 71 }],
    });
    const { url } = await assistant.call('share_report', { audit_id, expires_hours: 24 });
    expect(url).toContain(app.url);
  });
});
