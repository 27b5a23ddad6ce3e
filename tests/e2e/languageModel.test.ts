/**
 * The built server with a language model, over the real protocol: one that works, one that a page hijacks, one that
 * refuses.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeScore } from '../../src/model/scores.ts';
import { FINAL, logIn } from '../given/product/apiClient.ts';
import { startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { goodModel, takenOverModel } from '../integrations/analyst/models.ts';
import { type LlmServer, startLlmServer } from '../servers/llmServer.ts';

const FILES = ['seo-audit-report.md', 'executive-summary.md', 'action-items.md', 'findings.json'];
type Action = {
  readonly title: string;
  readonly optional: boolean;
  readonly reason: string | null;
  readonly evidence: readonly unknown[];
};

describe('a language model', () => {
  let llm: LlmServer;
  beforeAll(async () => {
    llm = await startLlmServer({ apiKey: 'the-key-of-the-test' });
  });
  afterAll(() => llm.close());

  const run = async () => {
    const data = temporaryData();
    const server = await startBuiltServer(data.dir, {
      LLM_BASE_URL: llm.url,
      LLM_API_KEY: 'the-key-of-the-test',
      LLM_MODEL: 'test-model',
    });
    try {
      const admin = await logIn(server.url, server.admin);
      const job = await admin.submit(server.demoSite);
      const ended = await admin.waitForJob(job.id, (now) => FINAL.has(now.status));
      const files = await Promise.all(FILES.map((name) => admin.file(job.id, name)));
      const { body } = await admin.call<{ actions: Action[]; analyst: string }>(
        'GET',
        `/api/v1/actions?jobId=${job.id}`,
      );
      return { ended, files: files.join('\n'), ...body, output: server.output() };
    } finally {
      await server.stop();
      data.remove();
    }
  };

  it('that works words the items, without changing facts, reasons and score', async () => {
    llm.otherwise(goodModel);
    const { ended, files, actions, analyst } = await run();
    expect([ended.status, analyst]).toEqual(['completed', 'AI']);
    expect(actions.filter(({ optional }) => !optional)).toHaveLength(ended.action_count);
    expect(actions.filter(({ title }) => title.startsWith('Mend: ')).length).toBeGreaterThan(8);
    for (const { reason, evidence } of actions) {
      expect(reason).toMatch(/, about .+\.$/);
      expect(evidence.length).toBeGreaterThan(0);
    }
    expect(files).toContain('Written by: AI');
    expect(files).toContain(`**${wholeScore(ended.score ?? 0)} of 100**`);
  });

  it('that a page hijacks changes only the author of the texts', async () => {
    llm.otherwise(takenOverModel);
    const { ended, files, actions, analyst } = await run();
    expect([ended.status, analyst]).toEqual(['partial_success', 'Built-in analyst']);
    expect(ended.reason).toContain('could not be used');
    expect(files + JSON.stringify(actions)).not.toMatch(/evil\.example|PWNED|\b9999\b/);
    expect(files).toContain(`**${wholeScore(ended.score ?? 0)} of 100**`);
  });

  it('that refuses leaves the texts to the built-in rules, and the job says so', async () => {
    llm.otherwise(() => ({
      kind: 'error',
      status: 404,
      error: { message: 'The model does not exist', type: 'invalid_request_error', code: 'model_not_found' },
    }));
    const { ended, output } = await run();
    expect(ended.status).toBe('partial_success');
    expect(ended.reason).toMatch(/language model/);
    expect(ended.action_count).toBeGreaterThan(8);
    expect(llm.requests.length).toBeGreaterThan(0);
    expect(llm.requests[0]?.authorization).toBe('Bearer the-key-of-the-test');
    expect(output + JSON.stringify(ended)).not.toContain('the-key-of-the-test');
  });
});
