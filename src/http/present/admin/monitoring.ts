/** The state of external services, for admins. */
import type { LlmProvider, ServiceStatus } from '../../../model/system.ts';
import type { LlmProviderView, MonitoringView, ServiceView } from '../../contract/admin/system.ts';
import type { CheckedService, SeenProcess, SystemDeps } from '../../deps/system.ts';

export function presentService({ status, checkedAt, latencyMs, detail }: CheckedService): ServiceView {
  return { status, checked_at: checkedAt, latency_ms: latencyMs, detail };
}

type LlmProviders = MonitoringView['apiStatus']['llmProviders'];

/** Based on what the processes report about their own last calls. The built-in analyst is always up. */
export function presentLlmProviders(
  { provider, model }: SystemDeps['llm'],
  processes: readonly SeenProcess[],
): LlmProviders {
  const builtIn: LlmProviderView = {
    status: 'up',
    model: null,
    last_success_at: null,
    last_failure_at: null,
    detail: null,
    fallback_rate: null,
  };
  const own = provider === 'built_in' ? {} : { [provider]: presentProvider(provider, model, processes) };
  return { current_provider: provider, providers: { ...own, built_in: builtIn } };
}

function presentProvider(
  provider: LlmProvider,
  model: string | null,
  processes: readonly SeenProcess[],
): LlmProviderView {
  const calls = processes.flatMap(({ analyst, gone }) => (analyst?.provider === provider && !gone ? [analyst] : []));
  const asked = sum(calls.map((each) => each.asked));
  const latest = (times: readonly (string | null)[]): string | null =>
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  const lastFailureAt = latest(calls.map((each) => each.lastFailureAt));
  const failure = calls.find((each) => each.lastFailureAt === lastFailureAt)?.failure ?? null;
  const status: ServiceStatus = calls.some((each) => each.coolingDown)
    ? 'down'
    : failure === null && calls.length > 0
      ? 'up'
      : 'degraded';
  return {
    status,
    model,
    last_success_at: latest(calls.map((each) => each.lastSuccessAt)),
    last_failure_at: lastFailureAt,
    detail: calls.length === 0 ? 'No worker is running.' : failure,
    fallback_rate: asked === 0 ? null : sum(calls.map((each) => each.fellBack)) / asked,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
