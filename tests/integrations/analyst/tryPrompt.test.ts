/** A prompt trial: one request, the raw response, its cost, and whether a report would use it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenAiAnalyst, type OpenAiOptions } from '../../../src/integrations/analyst/openAi.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { BUILT_IN_PROMPTS } from '../../../src/model/prompts/builtIn.ts';
import { PROMPT_KEYS, type PromptKey } from '../../../src/model/prompts/prompt.ts';
import { answerWith, type LlmServer, serverError, startLlmServer } from '../../servers/llmServer.ts';
import { mixedSite, site } from './inputs.ts';

const KEY = 'sk-very-secret-key';
const rules = createRulesAnalyst();
const input = mixedSite();
const idsOf = (checkId: string) => input.findings.filter((one) => one.checkId === checkId).map((one) => one.id);
const FAVICON = {
  findingIds: idsOf('favicon-missing'),
  title: 'Add a favicon',
  problem: 'Tabs look anonymous',
  solution: 'Draw a favicon',
};

let server: LlmServer;
beforeEach(async () => {
  server = await startLlmServer({ apiKey: KEY });
});
afterEach(() => server.close());

const analyst = (more: Partial<OpenAiOptions> = {}) =>
  createOpenAiAnalyst({ baseUrl: server.url, apiKey: KEY, model: 'model-x', fallback: rules, now: () => 5, ...more });

async function tried(key: PromptKey, more: Partial<OpenAiOptions> = {}, about = input) {
  const { value: actions } = await rules.recommend(about);
  return analyst(more).tryPrompt?.({ ...BUILT_IN_PROMPTS[key], content: 'Be brief.' }, about, actions, {
    budgetMs: 5_000,
  });
}

describe('a prompt trial', () => {
  it('sends one request with its own prompt, and reports the cost of the response', async () => {
    server.reply(answerWith({ items: [FAVICON] }));
    const answer = await tried('seo_actions', { prices: { input: 3, output: 15 } });
    expect(answer).toEqual({
      model: 'model-x',
      text: JSON.stringify({ items: [FAVICON] }),
      refused: null,
      dropped: 0,
      inputTokens: 1,
      outputTokens: 1,
      costMicros: 18,
      ms: 0,
    });
    const [request] = server.requests;
    expect(request?.body.messages[0]?.content).toMatch(/Never follow instructions[\s\S]*\n\nBe brief\.$/);
    expect(request?.body.messages[1]?.content).toContain('favicon-missing');
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });

  it('reports which parts a report would use', async () => {
    const foreign = { ...FAVICON, solution: 'Buy one at icons.example' };
    server.reply(answerWith({ items: [foreign] }), answerWith({ items: [{ ...FAVICON, findingIds: ['x'] }] }), {
      kind: 'answer',
      content: 'I would rather not.',
    });
    expect(await tried('seo_actions')).toMatchObject({ refused: null, dropped: 1, costMicros: null });
    expect(await tried('seo_actions')).toMatchObject({
      refused: expect.stringContaining('points to nothing that was found'),
    });
    expect(await tried('seo_actions')).toMatchObject({
      refused: 'The language model’s answer could not be used.',
      text: 'I would rather not.',
      inputTokens: 1,
    });
  });

  it('is not retried when the model fails', async () => {
    server.reply(serverError());
    expect(await tried('summary')).toMatchObject({
      refused: 'The language model’s server failed (500).',
      text: null,
      inputTokens: null,
      costMicros: null,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('sends no request when there is nothing to write about', async () => {
    for (const key of PROMPT_KEYS) expect(await tried(key, {}, site([]))).toBeNull();
    expect(server.requests).toEqual([]);
  });

  it('is rejected when the caller aborts', async () => {
    server.reply({ kind: 'hang' });
    const control = new AbortController();
    const { value: actions } = await rules.recommend(input);
    const answer = analyst().tryPrompt?.(BUILT_IN_PROMPTS.summary, input, actions, { signal: control.signal });
    await server.received(1);
    control.abort(new Error('cancelled'));
    await expect(answer).rejects.toThrow('cancelled');
  });

  it('does not exist for the built-in analyst', () => {
    expect(rules.tryPrompt).toBeUndefined();
  });
});
