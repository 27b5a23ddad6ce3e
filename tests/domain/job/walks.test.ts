/** Random walks: whatever commands a job gets in whatever order, its history stays a valid one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/domain/decider.ts';
import { type JobCommand, jobDecider } from '../../../src/domain/job/decide.ts';
import { JOB_STEPS, type JobEvent } from '../../../src/domain/job/events.ts';
import { runs } from '../../given/fullForm.ts';
import { at, bounds, jobId, userId } from './history.ts';

const SEED = 20260301;
const ENDS = ['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'JobCancelled', 'JobFailed'];

type Ask = { readonly command: (time: string) => JobCommand; readonly wait: number };

const step = fc.constantFrom(...JOB_STEPS);
const simple: fc.Arbitrary<(time: string) => JobCommand> = fc.oneof(
  fc.constant(
    (time: string): JobCommand => ({
      type: 'SubmitJob',
      jobId,
      userId,
      url: 'https://a.example/',
      host: 'a.example',
      bounds,
      access: 'full',
      at: time,
    }),
  ),
  fc.constant((time: string): JobCommand => ({ type: 'StartJob', at: time })),
  step.map(
    (name) =>
      (time: string): JobCommand => ({ type: 'StartStep', step: name, at: time }),
  ),
  step.map(
    (name) =>
      (time: string): JobCommand => ({ type: 'EndStep', step: name, at: time }),
  ),
  fc.tuple(step, fc.nat(60), fc.nat(60)).map(
    ([name, pagesDone, pagesKnown]) =>
      (time: string): JobCommand => ({ type: 'EndStep', step: name, pages: { pagesDone, pagesKnown }, at: time }),
  ),
  fc.constant(
    (time: string): JobCommand => ({
      type: 'RecordReport',
      score: 50,
      pagesAudited: 3,
      findings: 2,
      highImpact: 1,
      files: [],
      at: time,
    }),
  ),
  fc.constant((time: string): JobCommand => ({ type: 'RecordSummary', by: 'AI', fallback: false, at: time })),
  fc.constant((time: string): JobCommand => ({ type: 'RecordActions', count: 2, at: time })),
  fc.constant((time: string): JobCommand => ({ type: 'CompleteJob', at: time })),
  fc.constant((time: string): JobCommand => ({ type: 'CompleteJobPartially', reason: 'r', at: time })),
  fc.constant((time: string): JobCommand => ({ type: 'SucceedJobPartially', reason: 'r', at: time })),
  fc.constant((time: string): JobCommand => ({ type: 'UnlockJob', at: time })),
  fc.constant((time: string): JobCommand => ({ type: 'DeleteJob', at: time })),
);
/** Ends are rare, so that walks get far. */
const rare: fc.Arbitrary<(time: string) => JobCommand> = fc.constantFrom(
  (time: string): JobCommand => ({ type: 'CancelJob', by: 'user', at: time }),
  (time: string): JobCommand => ({ type: 'FailJob', code: 'X', reason: 'r', at: time }),
);
const command = fc.oneof({ weight: 40, arbitrary: simple }, { weight: 1, arbitrary: rare });
const ask: fc.Arbitrary<Ask> = fc.record({ command, wait: fc.constantFrom(0, 0.2, 0.5, 1, 3) });

/** The commands of a job that goes well, so that random commands meet it at every stage. */
const wholeWay: readonly ((time: string) => JobCommand)[] = [
  (time) => ({
    type: 'SubmitJob',
    jobId,
    userId,
    url: 'https://a.example/',
    host: 'a.example',
    bounds,
    access: 'full',
    at: time,
  }),
  (time) => ({ type: 'StartJob', at: time }),
  ...JOB_STEPS.flatMap((name): ((time: string) => JobCommand)[] => [
    (time) => ({ type: 'StartStep', step: name, at: time }),
    ...(name === 'report'
      ? [
          (time: string): JobCommand => ({
            type: 'RecordReport',
            score: 50,
            pagesAudited: 3,
            findings: 2,
            highImpact: 1,
            files: [],
            at: time,
          }),
        ]
      : []),
    (time) => ({ type: 'EndStep', step: name, at: time }),
  ]),
  (time) => ({ type: 'CompleteJob', at: time }),
];
const walk = fc
  .tuple(fc.array(fc.tuple(fc.nat(wholeWay.length), ask), { maxLength: 40 }), fc.boolean())
  .map(([extras, whole]): readonly Ask[] =>
    whole
      ? [...wholeWay.map((made, place): [number, Ask] => [place, { command: made, wait: 0.3 }]), ...extras]
          .sort(([a], [b]) => a - b)
          .map(([, one]) => one)
      : extras.map(([, one]) => one),
  );

function run(asks: readonly Ask[]): JobEvent[] {
  const history: JobEvent[] = [];
  let state = jobDecider.initialState();
  let seconds = 0;
  for (const { command: made, wait } of asks) {
    seconds += wait;
    const asked = made(at(seconds));
    try {
      const events = jobDecider.decide(asked, state);
      state = events.reduce(jobDecider.evolve, state);
      history.push(...events);
      if (asked.type !== 'StartJob') expect(jobDecider.decide(asked, state), `${asked.type} repeated`).toEqual([]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return history;
}

describe('random walks of a job', () => {
  it(`keep every rule (seed ${SEED})`, () => {
    let completed = 0;
    fc.assert(
      fc.property(walk, (asks) => {
        const history = run(asks);
        const types = history.map((event) => event.type);
        const endAt = types.findIndex((type) => ENDS.includes(type));
        const started = history.flatMap((event) => (event.type === 'JobStepStarted' ? [event.data.step] : []));
        const ended = history.flatMap((event) => (event.type === 'JobStepEnded' ? [event.data.step] : []));
        const attempts = history.flatMap((event) => (event.type === 'JobStarted' ? [event.data.attempt] : []));

        expect(types.filter((type) => type === 'JobSubmitted').length).toBeLessThanOrEqual(1);
        expect(types.filter((type) => ENDS.includes(type)).length).toBeLessThanOrEqual(1);
        expect(types.slice(0, 2)).toEqual(types.length === 0 ? [] : ['JobSubmitted', 'JobQueued']);
        expect(started).toEqual(JOB_STEPS.slice(0, started.length));
        expect(ended).toEqual(JOB_STEPS.slice(0, ended.length));
        expect(started.length - ended.length).toBeOneOf([0, 1]);
        expect(attempts).toEqual(attempts.map((_, index) => index + 1));
        if (endAt >= 0) expect(types.slice(endAt + 1)).toEqual(types.includes('JobDeleted') ? ['JobDeleted'] : []);
        if (endAt < 0) expect(types).not.toContain('JobDeleted');
        if (types.some((type) => ENDS.slice(0, 3).includes(type))) {
          completed += 1;
          expect(ended).toEqual(JOB_STEPS);
          expect(types).toContain('JobReportReady');
        }
        const progress = history.flatMap((event) => (event.type === 'JobProgressed' ? [event.data.step] : []));
        expect(progress).toEqual([...new Set(progress)]);
      }),
      { seed: SEED, numRuns: runs(2_000) },
    );
    expect(completed).toBeGreaterThan(100);
  });
});
