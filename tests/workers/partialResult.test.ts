import { describe, expect, it } from 'vitest';
import { type DoneJob, endingOf } from '../../src/workers/partialResult.ts';

const done = (over: Partial<DoneJob> = {}): DoneJob => ({
  coverage: { stop: 'complete', notFetched: 0 },
  maxPages: 50,
  checksCutShort: false,
  modelFailures: [],
  ...over,
});
const TIME = { stop: 'time_budget', notFetched: 40 } as const;
const NOT_LOOKED_AT = 'Stopped at the time limit; 40 more pages were found but not audited.';
const CUT_SHORT = 'The time ran out before all checks had run on all pages. The report lists what was not checked.';
const MODEL = 'The language model failed (It answered 500), so the built-in analyst wrote part of the texts.';

describe('the end of a job', () => {
  it('is complete without a cause for less', () => {
    expect(endingOf(done())).toEqual({ type: 'CompleteJob' });
  });

  it('names its one cause', () => {
    expect(endingOf(done({ coverage: TIME }))).toEqual({ type: 'CompleteJobPartially', reason: NOT_LOOKED_AT });
    expect(endingOf(done({ checksCutShort: true }))).toEqual({ type: 'CompleteJobPartially', reason: CUT_SHORT });
    expect(endingOf(done({ modelFailures: ['It answered 500.'] }))).toEqual({
      type: 'SucceedJobPartially',
      reason: MODEL,
    });
  });

  it('is decided by what was not audited, and names every cause, the gravest first', () => {
    expect(endingOf(done({ coverage: TIME, checksCutShort: true, modelFailures: ['It answered 500.'] }))).toEqual({
      type: 'CompleteJobPartially',
      reason: `${NOT_LOOKED_AT} ${CUT_SHORT} ${MODEL}`,
      modelFailed: true,
    });
    expect(endingOf(done({ checksCutShort: true, modelFailures: ['It answered 500.'] }))).toMatchObject({
      type: 'CompleteJobPartially',
      reason: `${CUT_SHORT} ${MODEL}`,
    });
  });

  it('names each failure of the model once', () => {
    const ending = endingOf(done({ modelFailures: ['It answered 500.', 'It answered 500.', 'No answer in time.'] }));
    expect(ending).toMatchObject({
      reason: expect.stringContaining('failed (It answered 500; No answer in time), so'),
    });
  });

  it('counts one page that was left out', () => {
    expect(endingOf(done({ coverage: { stop: 'page_budget', notFetched: 1 } }))).toMatchObject({
      reason: 'Stopped at the 50-page limit; 1 more page was found but not audited.',
    });
  });
});
