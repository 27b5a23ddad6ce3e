/** The built server with a language model behind it, over the real protocol, that refuses to work. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, logIn } from '../given/apiClient.ts';
import { startBuiltServer, temporaryData } from '../given/builtServer.ts';
import { type LlmServer, startLlmServer } from '../servers/llmServer.ts';

describe('a language model', () => {
  let llm: LlmServer;
  beforeAll(async () => {
    llm = await startLlmServer({ apiKey: 'the-key-of-the-test' });
  });
  afterAll(() => llm.close());

  const run = async () => {
    const data = temporaryData();
    const server = await startBuiltServer(data.dir, { LLM_BASE_URL: llm.url, LLM_API_KEY: 'the-key-of-the-test', LLM_MODEL: 'test-model' });
    try {
      const admin = await logIn(server.url, server.admin);
      const job = await admin.submit(server.demoSite);
      return { ended: await admin.waitForJob(job.id, (now) => FINAL.has(now.status)), output: server.output() };
    } finally {
      await server.stop();
      data.remove();
    }
  };

  it('that refuses leaves the texts to the rules, and the job says so', async () => {
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
