/**
 * Selects the author of the texts: the configured language model, or the built-in rules. A model's library is loaded
 * only if one is configured.
 */
import type { Analyst } from '../integrations/analyst/analyst.ts';
import { labelOf } from '../integrations/analyst/endpointLabel.ts';
import { createRulesAnalyst, RULES_LABEL } from '../integrations/analyst/rules.ts';
import type { LlmProvider } from '../model/system.ts';
import { promptInUse } from '../projections/prompts.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { Config } from './config.ts';

export type LlmConfig = Pick<
  Config,
  'LLM_BASE_URL' | 'LLM_API_KEY' | 'LLM_MODEL' | 'LLM_INPUT_PRICE' | 'LLM_OUTPUT_PRICE'
>;

/** `readModels`: for the prompts in use. */
export async function chooseAnalyst(config: LlmConfig, readModels: ReadModels): Promise<Analyst> {
  const rules = createRulesAnalyst();
  const model = modelOf(config);
  const { LLM_INPUT_PRICE: input, LLM_OUTPUT_PRICE: output } = config;
  const prices = input === undefined || output === undefined ? {} : { prices: { input, output } };
  if (!model) return rules;
  const { createOpenAiAnalyst } = await import('../integrations/analyst/openAi.ts');
  return createOpenAiAnalyst({ ...model, ...prices, fallback: rules, promptOf: (key) => promptInUse(readModels, key) });
}

function modelOf({ LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_MODEL: model }: LlmConfig) {
  return baseUrl && apiKey && model ? { baseUrl, apiKey, model } : null;
}

/** Its display name, also in processes without an analyst. */
export function analystLabel(config: LlmConfig): string {
  const model = modelOf(config);
  return model ? labelOf(model.baseUrl) : RULES_LABEL;
}

/** The same, for monitoring. */
export function llmOf(config: LlmConfig): { readonly provider: LlmProvider; readonly model: string | null } {
  const model = modelOf(config);
  if (!model) return { provider: 'built_in', model: null };
  return { provider: labelOf(model.baseUrl) === 'Grok AI' ? 'grok' : 'openai_compatible', model: model.model };
}
