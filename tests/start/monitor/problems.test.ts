import { describe, expect, it } from 'vitest';
import type { CheckedService, SeenProcess, SystemServices, SystemState } from '../../../src/http/deps/system.ts';
import { DISK_LIMIT, FAILED_MAILS_LIMIT, problemsOf } from '../../../src/start/monitor/problems.ts';

const at = '2026-03-10T12:00:00.000Z';
const record = {
  model: 'boards',
  build: 'v1',
  documentId: 'd',
  position: '1',
  eventType: 'X',
  error: 'no',
  parkedAt: at,
};
const process: SeenProcess = {
  id: 'p',
  role: 'worker',
  host: 'one',
  pid: 1,
  since: at,
  version: '1',
  loopDelayMs: 1,
  heapUsed: 1,
  heapTotal: 1,
  rss: 1,
  analyst: null,
  disk: null,
  seenAt: at,
  gone: false,
};
const GB = 1024 ** 3;
const well: SystemState = {
  at,
  projections: { served: true, ageMs: 0, behind: {} },
  parked: { total: 0, first: null, records: [], models: {} },
  work: [{ kind: 'mail', depth: 3, oldestSeconds: 1_800, running: 0, givenUp: 0, givenUpToday: 0 }],
  processes: [process],
  mails: { failedToday: FAILED_MAILS_LIMIT + 2, refusedToday: 3 },
  unknownPlans: 0,
  webhooks: { failedToday: 3 },
  disk: { free: 50 * GB, total: 100 * GB },
  backup: { at: '2026-03-09T12:00:00.000Z', events: 1, bytes: 1 },
  verified: { at: '2026-03-10T02:00:00.000Z', events: 1, faults: 0, unsealed: 0, first: null },
};
const calls = { lastSuccessAt: null, lastFailureAt: null, failure: null, asked: 0, fellBack: 0, coolingDown: false };
const asking: SystemState = {
  ...well,
  processes: [{ ...process, analyst: { provider: 'grok', model: 'grok-4', ...calls } }],
};
const service = (status: CheckedService['status'], detail: string | null): CheckedService => ({
  status,
  detail,
  checkedAt: at,
  latencyMs: 3,
});
const allUp: SystemServices = {
  supabase: service('up', null),
  stripe: service('up', null),
  llm: { status: 'up', detail: null },
};
const causes = (change: Partial<SystemState>) => problemsOf({ ...well, ...change }).map(({ cause }) => cause);

describe('problems', () => {
  it('are empty if all is well', () => {
    expect(problemsOf(well)).toEqual([]);
    expect(causes({ backup: 'elsewhere', disk: null })).toEqual([]);
    expect(causes({ verified: null })).toEqual([]);
  });

  it.each<[string, Partial<SystemState>]>([
    ['parked', { parked: { total: 2, first: record, records: [record], models: { boards: 2 } } }],
    ['parked', { work: [{ kind: 'followUp', depth: 1, oldestSeconds: 7, running: 0, givenUp: 0, givenUpToday: 0 }] }],
    ['lag', { projections: { served: true, ageMs: 60_001, behind: {} } }],
    ['lag', { projections: { served: false, ageMs: 0, behind: {} } }],
    ['mails', { mails: { failedToday: FAILED_MAILS_LIMIT + 3, refusedToday: 3 } }],
    ['disk', { disk: { free: 4 * GB, total: 100 * GB } }],
    ['disk', { disk: { free: 0.5 * GB, total: 10 * GB } }],
    ['work', { work: [{ kind: 'mail', depth: 3, oldestSeconds: 1_801, running: 0, givenUp: 0, givenUpToday: 0 }] }],
    ['process', { processes: [{ ...process, gone: true }] }],
    [
      'log',
      {
        verified: {
          at: well.at,
          events: 9,
          faults: 1,
          unsealed: 0,
          first: 'JobQueued at revision 1 of job-j (position 7). It was put there.',
        },
      },
    ],
    ['backup', { backup: null }],
    ['backup', { backup: { at: '2026-03-01T12:00:00.000Z', events: 1, bytes: 1 } }],
  ])('%s is reported with a remedy', (cause, change) => {
    const [problem, ...more] = problemsOf({ ...well, ...change });
    expect([problem?.cause, more]).toEqual([cause, []]);
    for (const text of [problem?.text, problem?.todo]) expect(text).toMatch(/^[A-Z0-9].*\.$/);
  });

  it.each<[string, Partial<SystemServices>, string, string]>([
    [
      'stores',
      { supabase: service('down', 'auth up, event store down, realtime up') },
      'Accounts or the event store are down: auth up, event store down, realtime up.',
      'the stores',
    ],
    [
      'payments',
      { stripe: service('down', 'No answer within 3 seconds.') },
      'The payment provider is down: No answer within 3 seconds.',
      'STRIPE_SECRET_KEY',
    ],
    [
      'llm',
      { llm: { status: 'down', detail: 'It could not be reached.' } },
      'The language model is down: It could not be reached.',
      'LLM_BASE_URL',
    ],
    ['llm', { llm: { status: 'degraded', detail: null } }, 'The language model is degraded.', 'LLM_BASE_URL'],
  ])('of a service (%s) say what to do', (cause, change, text, remedy) => {
    expect(problemsOf(asking, { ...allUp, ...change })).toEqual([
      { cause, text, todo: expect.stringContaining(remedy) },
    ]);
  });

  it('of services are empty while they are up, not set up or not checked yet', () => {
    expect(problemsOf(asking, allUp)).toEqual([]);
    expect(
      problemsOf(asking, { ...allUp, stripe: { ...service('degraded', 'Not checked yet.'), checkedAt: null } }),
    ).toEqual([]);
    expect(problemsOf(asking, { ...allUp, stripe: service('not_configured', null) })).toEqual([]);
  });

  it('of an unused model say that no worker is running', () => {
    const [problem] = problemsOf(well, { ...allUp, llm: { status: 'degraded', detail: 'No worker is running.' } });
    expect(problem).toMatchObject({
      text: 'The language model is degraded: No worker is running.',
      todo: expect.stringContaining('Start a process'),
    });
  });

  it('show the same figures as the page', () => {
    const [problem] = problemsOf({ ...well, mails: { failedToday: 1_034, refusedToday: 3 } });
    expect(problem?.text).toBe(
      '1,031 emails could not be delivered in the last 24 hours, not counting refused addresses.',
    );
  });

  it('of a disk start below a tenth of its size, at most five gigabytes', () => {
    expect(causes({ disk: { free: DISK_LIMIT.bytes, total: 1_000 * GB } })).toEqual([]);
    expect(causes({ disk: { free: 1 * GB, total: 10 * GB } })).toEqual([]);
  });

  it('of work use the labels of the page', () => {
    const late = { depth: 1, oldestSeconds: 1_801, running: 0, givenUp: 0, givenUpToday: 0 };
    const [problem] = problemsOf({
      ...well,
      work: ['sequenceMail', 'providerEvent'].map((kind) => ({ kind, ...late })),
    });
    expect(problem?.text).toBe('Work has been due for more than half an hour: Sequence emails, Payment events.');
  });

  it('of events name what could not take them, and what is missing because of that', () => {
    const aside = { kind: 'followUp', depth: 1, oldestSeconds: 7, running: 0, givenUp: 0, givenUpToday: 0 };
    const list = { ...record, model: 'workItems' };
    const [both, ...more] = problemsOf({
      ...well,
      work: [aside],
      parked: { total: 1, first: list, records: [list], models: { workItems: 1 } },
    });
    expect(both?.text).toBe(
      '1 document of the read models cannot take an event, the first in workItems; work that such an event asks for is not done. ' +
        '1 event could not be followed up and is tried again.',
    );
    expect([both?.cause, more]).toEqual(['parked', []]);
    const [many] = problemsOf({ ...well, work: [{ ...aside, depth: 1_200 }] });
    expect(many?.text).toBe('1,200 events could not be followed up and are tried again.');
  });

  it('are ordered by urgency', () => {
    expect(
      causes({
        backup: null,
        mails: { failedToday: 9, refusedToday: 0 },
        projections: { served: true, ageMs: 99_000, behind: {} },
      }),
    ).toEqual(['lag', 'mails', 'backup']);
  });
});
