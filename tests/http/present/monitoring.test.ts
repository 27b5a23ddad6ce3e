import { describe, expect, it } from 'vitest';
import type { SeenProcess } from '../../../src/http/deps/system.ts';
import { presentLlmProviders } from '../../../src/http/present/admin/monitoring.ts';

type Calls = NonNullable<SeenProcess['analyst']>;
const idle: Calls = {
  provider: 'grok',
  model: 'grok-4',
  lastSuccessAt: null,
  lastFailureAt: null,
  failure: null,
  asked: 0,
  fellBack: 0,
  coolingDown: false,
};
const worker = (calls: Partial<Calls> | null, gone = false): SeenProcess => ({
  id: 'p',
  role: 'worker',
  host: 'one',
  pid: 1,
  since: '',
  version: '1',
  loopDelayMs: 1,
  heapUsed: 1,
  heapTotal: 1,
  rss: 1,
  disk: null,
  seenAt: '',
  analyst: calls && { ...idle, ...calls },
  gone,
});
const grok = { provider: 'grok', model: 'grok-4' } as const;
const grokBy = (...processes: readonly SeenProcess[]) => presentLlmProviders(grok, processes).providers.grok;

describe('language model providers', () => {
  it('have the status of the workers’ last calls, combined', () => {
    const failed = {
      lastFailureAt: '2026-03-10T12:00:00.000Z',
      failure: 'It had too many requests.',
      asked: 10,
      fellBack: 4,
    };
    expect(
      grokBy(worker({ lastSuccessAt: '2026-03-10T11:00:00.000Z', asked: 10 }), worker(failed), worker(null)),
    ).toEqual({
      status: 'degraded',
      model: 'grok-4',
      detail: 'It had too many requests.',
      fallback_rate: 0.2,
      last_success_at: '2026-03-10T11:00:00.000Z',
      last_failure_at: '2026-03-10T12:00:00.000Z',
    });
  });

  it('are up while nothing failed, down while one is left alone; stopped workers do not count', () => {
    expect(grokBy(worker({}))).toMatchObject({ status: 'up', fallback_rate: null, detail: null });
    expect(grokBy(worker({ coolingDown: true, failure: 'It could not be reached.' }))).toMatchObject({
      status: 'down',
    });
    expect(grokBy(worker({ coolingDown: true }, true))).toMatchObject({
      status: 'degraded',
      detail: 'No worker is running.',
    });
  });

  it('always include the built-in analyst', () => {
    expect(presentLlmProviders(grok, []).providers.built_in).toMatchObject({ status: 'up' });
    expect(presentLlmProviders({ provider: 'built_in', model: null }, [])).toMatchObject({
      current_provider: 'built_in',
      providers: { built_in: { status: 'up' } },
    });
  });
});
