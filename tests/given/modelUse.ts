/** The usage of a model, and an analyst that reports it for all its texts. */

import type { ModelUse } from '../../src/domain/modelUse.ts';
import type { Analyst, Written } from '../../src/integrations/analyst/analyst.ts';
import { promptName } from '../../src/model/prompts/prompt.ts';

export const modelUse = (over: Partial<ModelUse> = {}): ModelUse => ({
  key: 'summary',
  version: 1,
  model: 'model-x',
  answers: 1,
  inputTokens: 1_200,
  outputTokens: 300,
  costMicros: 8_100,
  ms: 2_000,
  used: true,
  ...over,
});

/** `analyst` as if a model had been asked for each text. */
export function withModel(analyst: Analyst): Analyst {
  const asked = async <T>(key: ModelUse['key'], writing: Promise<Written<T>>): Promise<Written<T>> => {
    const use = modelUse({ key });
    return { ...(await writing), by: 'AI', prompt: promptName(use), asked: use };
  };
  return {
    ...analyst,
    analyse: (...given) => asked('seo_analysis', analyst.analyse(...given)),
    recommend: (...given) => asked('seo_actions', analyst.recommend(...given)),
    summarise: (...given) => asked('summary', analyst.summarise(...given)),
  };
}
