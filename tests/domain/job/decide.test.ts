import { describe, expect, it } from 'vitest';
import { type JobCommand, jobDecider } from '../../../src/domain/job/decide.ts';
import type { JobEvent } from '../../../src/domain/job/events.ts';
import { evolve, hasResult, initialState, nextStep } from '../../../src/domain/job/job.ts';
import type { ModelUse } from '../../../src/domain/modelUse.ts';
import { specOf } from '../../given/decider.ts';
import { modelUse } from '../../given/modelUse.ts';
import {
  at,
  bounds,
  cancelled,
  completed,
  during,
  failed,
  jobId,
  reportReady,
  started,
  stepEnded,
  stepStarted,
  submitted,
  through,
  userId,
} from './history.ts';

const given = specOf(jobDecider);

const submit: JobCommand = {
  type: 'SubmitJob',
  jobId,
  userId,
  url: 'https://example.com/',
  host: 'example.com',
  bounds,
  access: 'preview',
  at: at(0),
};
const report: JobCommand = {
  type: 'RecordReport',
  score: 71,
  pagesAudited: 12,
  findings: 30,
  highImpact: 4,
  files: ['seo-audit-report.md'],
  at: at(4),
};

describe('submitting a job', () => {
  it('queues it', () =>
    given()
      .when(submit)
      .then(...submitted));
  it('records the batch it came in', () => {
    const [first, second] = submitted;
    given()
      .when({ ...submit, batchId: 'batch-1' })
      .then({ ...first, data: { ...first?.data, batchId: 'batch-1' } } as never, second as never);
  });
  it('does nothing the second time', () =>
    given(...submitted)
      .when(submit)
      .thenNothing());
  it('does nothing when the job has ended since', () =>
    given(...completed)
      .when(submit)
      .thenNothing());
});

describe('starting a job', () => {
  it('is the first attempt on a queued job', () =>
    given(...submitted)
      .when({ type: 'StartJob', at: at(1) })
      .then(started(1)));
  it('is the next attempt on a job that another worker has abandoned', () =>
    given(...during('crawl'))
      .when({ type: 'StartJob', at: at(1) })
      .then(started(2)));
  it('is refused when the job does not exist', () =>
    given()
      .when({ type: 'StartJob', at: at(1) })
      .thenRefused('JOB_NOT_FOUND'));
  it('is refused after the end', () =>
    given(...cancelled)
      .when({ type: 'StartJob', at: at(1) })
      .thenRefused('JOB_ALREADY_FINISHED'));
});

describe('giving up the slot of a job whose site is slow', () => {
  const giveUp: JobCommand = { type: 'GiveUpSlot', attempt: 1, at: at(5) };
  const givenUp: JobEvent = { type: 'JobQueued', data: { jobId, queuedAt: at(5), slowSite: true } };
  const again = (attempt: number): JobEvent => ({
    type: 'JobStarted',
    data: { jobId, attempt, startedAt: at(1), afterSlowSite: true },
  });
  it('queues it again', () =>
    given(...during('crawl'))
      .when(giveUp)
      .then(givenUp));
  it('does nothing the second time', () =>
    given(...during('crawl'), givenUp)
      .when(giveUp)
      .thenNothing());
  it('lets the next worker say that nothing failed, once', () => {
    given(...during('crawl'), givenUp)
      .when({ type: 'StartJob', at: at(1) })
      .then(again(2));
    given(...during('crawl'), givenUp, again(2))
      .when({ type: 'StartJob', at: at(1) })
      .then(started(3));
  });
  it('is not for a worker whose job was taken over', () =>
    given(...during('crawl'), started(2))
      .when(giveUp)
      .thenRefused('JOB_TAKEN_OVER'));
  it('is possible three times', () =>
    given(...during('crawl'), givenUp, again(2), givenUp, again(3), givenUp, again(4))
      .when({ ...giveUp, attempt: 4 })
      .thenNothing());
});

describe('the steps of a job', () => {
  it('begin with the first', () =>
    given(...submitted, started())
      .when({ type: 'StartStep', step: 'discover', at: at(2) })
      .then(stepStarted('discover')));
  it('continue with the one after the last that ended', () =>
    given(...during('discover'), stepEnded('discover'), started(2))
      .when({ type: 'StartStep', step: 'crawl', attempt: 2, at: at(2) })
      .then(stepStarted('crawl')));
  it('resume an interrupted step without a second start event', () =>
    given(...during('crawl'), started(2))
      .when({ type: 'StartStep', step: 'crawl', at: at(5) })
      .thenNothing());
  it('skip a step that has ended', () =>
    given(...during('checks'))
      .when({ type: 'StartStep', step: 'crawl', at: at(5) })
      .thenNothing());
  it('cannot be skipped otherwise', () =>
    given(...submitted, started())
      .when({ type: 'StartStep', step: 'crawl', at: at(2) })
      .thenRefused('JOB_STEP_OUT_OF_ORDER', { step: 'crawl' }));
  it('cannot run two at a time', () =>
    given(...during('crawl'))
      .when({ type: 'StartStep', step: 'checks', at: at(2) })
      .thenRefused('JOB_STEP_OUT_OF_ORDER'));
  it('need a worker that has started the job', () =>
    given(...submitted)
      .when({ type: 'StartStep', step: 'discover', at: at(2) })
      .thenRefused('JOB_NOT_STARTED'));

  it('end with the current step', () =>
    given(...during('crawl'))
      .when({ type: 'EndStep', step: 'crawl', at: at(3) })
      .then(stepEnded('crawl')));
  it('keep the note of a step', () =>
    given(...during('crawl'))
      .when({ type: 'EndStep', step: 'crawl', note: '12 pages', at: at(3) })
      .then({ type: 'JobStepEnded', data: { jobId, step: 'crawl', note: '12 pages', endedAt: at(3) } }));
  it('end once', () =>
    given(...during('checks'))
      .when({ type: 'EndStep', step: 'crawl', at: at(3) })
      .thenNothing());
  it('cannot end before they begin', () =>
    given(...submitted, started())
      .when({ type: 'EndStep', step: 'discover', at: at(3) })
      .thenRefused('JOB_STEP_OUT_OF_ORDER'));
});

describe('a worker whose job was taken over', () => {
  const past = [...during('crawl'), started(2)];
  it('cannot end a step', () =>
    given(...past)
      .when({ type: 'EndStep', step: 'crawl', attempt: 1, at: at(3) })
      .thenRefused('JOB_TAKEN_OVER', { attempt: 2 }));
  it('does not keep the new worker from working', () =>
    given(...past)
      .when({ type: 'EndStep', step: 'crawl', attempt: 2, at: at(3) })
      .then(stepEnded('crawl')));
});

describe('what a step came to', () => {
  const pages = { pagesDone: 5, pagesKnown: 10 };
  const progressed = (more: object = {}) =>
    ({ type: 'JobProgressed', data: { jobId, step: 'crawl', ...pages, at: at(3), ...more } }) as const;

  it('is recorded with its end', () =>
    given(...during('crawl'))
      .when({ type: 'EndStep', step: 'crawl', pages, at: at(3) })
      .then(progressed(), stepEnded('crawl')));
  it('is recorded once, in a job of an earlier version with progress in between, too', () =>
    given(...during('crawl'), progressed({ pagesDone: 7 }), progressed({ pagesDone: 9 }))
      .when({ type: 'EndStep', step: 'crawl', pages, at: at(3) })
      .then(progressed(), stepEnded('crawl')));
  it('is not recorded again', () =>
    given(...during('checks'))
      .when({ type: 'EndStep', step: 'crawl', pages, at: at(3) })
      .thenNothing());
});

describe('results', () => {
  it('records the report', () =>
    given(...during('report'))
      .when(report)
      .then(reportReady));
  it('records it once', () =>
    given(...during('report'), reportReady)
      .when(report)
      .thenNothing());
  it('cannot record a report before its step', () =>
    given(...during('checks'))
      .when(report)
      .thenRefused('JOB_STEP_OUT_OF_ORDER', { step: 'report' }));

  const summary: JobCommand = { type: 'RecordSummary', by: 'Built-in analyst', fallback: false, at: at(5) };
  const summaryWritten = {
    type: 'JobSummaryWritten',
    data: { jobId, by: 'Built-in analyst', fallback: false, writtenAt: at(5) },
  } as const;
  it('records the summary', () =>
    given(...during('summary'))
      .when(summary)
      .then(summaryWritten));
  it('records the summary once', () =>
    given(...during('summary'), summaryWritten)
      .when(summary)
      .thenNothing());
  it('cannot record a summary before its step', () =>
    given(...during('report'))
      .when(summary)
      .thenRefused('JOB_STEP_OUT_OF_ORDER', { step: 'summary' }));

  it('records the prompt of each text generated by a model, once', () => {
    const modelAsked = (use: ModelUse, seconds: number): JobEvent => ({
      type: 'ModelAsked',
      data: { jobId, ...use, recordedAt: at(seconds) },
    });
    const [analysis, items] = [
      modelUse({ key: 'seo_analysis' }),
      modelUse({ key: 'seo_actions', used: false, costMicros: null }),
    ];
    given(...during('report'))
      .when({ ...report, asked: analysis })
      .then(modelAsked(analysis, 4), reportReady);
    given(...during('report'), modelAsked(analysis, 4), reportReady)
      .when({ ...report, asked: analysis })
      .thenNothing();
    given(...during('recommendations'))
      .when({ type: 'EndStep', step: 'recommendations', asked: items, at: at(3) })
      .then(modelAsked(items, 3), stepEnded('recommendations'));
    given(...during('summary'))
      .when({ ...summary, asked: modelUse() })
      .then(modelAsked(modelUse(), 5), summaryWritten);
  });

  const actions: JobCommand = { type: 'RecordActions', count: 8, at: at(6) };
  const generated = { type: 'JobActionsGenerated', data: { jobId, count: 8, generatedAt: at(6) } } as const;
  it('records the action items', () =>
    given(...during('actions'))
      .when(actions)
      .then(generated));
  it('records the action items once', () =>
    given(...during('parse_actions'), generated)
      .when(actions)
      .thenNothing());
  it('cannot record action items before their step', () =>
    given(...during('summary'))
      .when(actions)
      .thenRefused('JOB_STEP_OUT_OF_ORDER', { step: 'actions' }));
});

describe('completion', () => {
  it('completes a job whose steps have ended', () =>
    given(...through)
      .when({ type: 'CompleteJob', at: at(9) })
      .then({ type: 'JobCompleted', data: { jobId, userId, completedAt: at(9) } }));
  it('records what a partial result does not cover', () =>
    given(...through)
      .when({ type: 'CompleteJobPartially', reason: '50 pages were audited.', at: at(9) })
      .then({
        type: 'JobPartiallyCompleted',
        data: { jobId, userId, reason: '50 pages were audited.', completedAt: at(9) },
      }));
  it('records that the built-in rules were used instead', () =>
    given(...through)
      .when({ type: 'SucceedJobPartially', reason: 'The model failed.', at: at(9) })
      .then({
        type: 'JobPartiallySucceeded',
        data: { jobId, userId, reason: 'The model failed.', completedAt: at(9) },
      }));
  it('requires every step', () =>
    given(...during('parse_actions'))
      .when({ type: 'CompleteJob', at: at(9) })
      .thenRefused('JOB_STEPS_OPEN'));
  it('requires a report', () =>
    given(...through.filter((event) => event.type !== 'JobReportReady'))
      .when({ type: 'CompleteJob', at: at(9) })
      .thenRefused('JOB_REPORT_MISSING'));
  it('happens once', () =>
    given(...completed)
      .when({ type: 'CompleteJob', at: at(10) })
      .thenNothing());
  it('is not replaced by another outcome', () =>
    given(...completed)
      .when({ type: 'CompleteJobPartially', reason: 'Late.', at: at(10) })
      .thenRefused('JOB_ALREADY_FINISHED'));
});

describe('cancelling', () => {
  const cancel: JobCommand = { type: 'CancelJob', by: 'user:user-1', at: at(9) };
  const jobCancelled = {
    type: 'JobCancelled',
    data: { jobId, userId, by: 'user:user-1', cancelledAt: at(9) },
  } as const;
  it('ends a queued job', () =>
    given(...submitted)
      .when(cancel)
      .then(jobCancelled));
  it('ends a running job', () =>
    given(...during('crawl'))
      .when(cancel)
      .then(jobCancelled));
  it('happens once', () =>
    given(...cancelled)
      .when(cancel)
      .thenNothing());
  it('is refused after the end', () => {
    given(...completed)
      .when(cancel)
      .thenRefused('JOB_ALREADY_FINISHED');
    given(...failed)
      .when(cancel)
      .thenRefused('JOB_ALREADY_FINISHED');
  });
  it('requires a job', () => given().when(cancel).thenRefused('JOB_NOT_FOUND'));
});

describe('failing', () => {
  const fail: JobCommand = { type: 'FailJob', code: 'SITE_DNS', reason: 'Not found.', at: at(9) };
  const jobFailed = {
    type: 'JobFailed',
    data: { jobId, userId, code: 'SITE_DNS', reason: 'Not found.', failedAt: at(9) },
  } as const;
  it('ends a job with a reason', () =>
    given(...during('crawl'))
      .when(fail)
      .then(jobFailed));
  it('fails a job that no worker ever started', () =>
    given(...submitted)
      .when(fail)
      .then(jobFailed));
  it('happens once', () =>
    given(...failed)
      .when(fail)
      .thenNothing());
  it('is refused from a worker that another has replaced', () => {
    given(...during('crawl'))
      .when({ ...fail, attempt: 2 })
      .thenRefused('JOB_TAKEN_OVER');
    given(...during('crawl'))
      .when({ ...fail, attempt: 1 })
      .then(jobFailed);
  });
  it('does not undo a completion or a cancellation', () => {
    given(...completed)
      .when(fail)
      .thenRefused('JOB_ALREADY_FINISHED');
    given(...cancelled)
      .when(fail)
      .thenRefused('JOB_ALREADY_FINISHED');
  });
});

describe('deleting', () => {
  const remove: JobCommand = { type: 'DeleteJob', at: at(20) };
  const deleted = { type: 'JobDeleted', data: { jobId, userId, deletedAt: at(20) } } as const;
  it('deletes a job that has ended, in any way', () => {
    for (const past of [completed, cancelled, failed])
      given(...past)
        .when(remove)
        .then(deleted);
  });
  it('refuses a job that is running', () => {
    given(...submitted)
      .when(remove)
      .thenRefused('JOB_NOT_FINISHED');
    given(...during('crawl'))
      .when(remove)
      .thenRefused('JOB_NOT_FINISHED');
  });
  it('happens once', () =>
    given(...completed, deleted)
      .when(remove)
      .thenNothing());
  it('requires a job', () => given().when(remove).thenRefused('JOB_NOT_FOUND'));
  it('leaves nothing to cancel', () =>
    given(...completed, deleted)
      .when({ type: 'CancelJob', by: 'x', at: at(21) })
      .thenRefused('JOB_NOT_FOUND'));
});

describe('after the end', () => {
  const deleted = { type: 'JobDeleted', data: { jobId, userId, deletedAt: at(20) } } as const;
  const late: readonly JobCommand[] = [
    { type: 'StartJob', at: at(30) },
    { type: 'StartStep', step: 'checks', at: at(30) },
    { type: 'EndStep', step: 'crawl', at: at(30) },
    report,
    { type: 'RecordSummary', by: 'AI', fallback: false, at: at(30) },
    { type: 'RecordActions', count: 3, at: at(30) },
  ];
  for (const command of late) {
    it(`a late ${command.type} is refused`, () => {
      for (const past of [completed, cancelled, failed, [...failed, deleted]])
        given(...past)
          .when(command)
          .thenRefused('JOB_ALREADY_FINISHED');
    });
  }
});

describe('the state of a job', () => {
  const stateAfter = (events: Parameters<typeof evolve>[1][]) => events.reduce(evolve, initialState());
  it('names the step at which a worker resumes', () => {
    const state = stateAfter([...during('checks')]);
    expect(state.status === 'running' && nextStep(state)).toBe('checks');
    const whole = stateAfter([...through]);
    expect(whole.status === 'running' && nextStep(whole)).toBeNull();
  });
  it('distinguishes having a result from having none', () => {
    expect(
      (['completed', 'partial_success', 'partially_completed', 'failed', 'cancelled'] as const).map(hasResult),
    ).toEqual([true, true, true, false, false]);
  });
  it('ignores events that do not fit', () => {
    for (const event of [...completed, ...failed, ...cancelled]) {
      expect(() => evolve(initialState(), event)).not.toThrow();
      expect(() => evolve(stateAfter([...completed]), event)).not.toThrow();
    }
  });
});

describe('unlocking a job', () => {
  const unlock: JobCommand = { type: 'UnlockJob', at: at(20) };
  const unlocked = { type: 'JobUnlocked', data: { jobId, userId, unlockedAt: at(20) } } as const;
  it('shows a job with a result in full', () =>
    given(...completed)
      .when(unlock)
      .then(unlocked));
  it('shows in full what was readable before the job was cancelled', () =>
    given(...during('report'), { type: 'JobCancelled', data: { jobId, by: 'user:user-1', cancelledAt: at(9) } })
      .when(unlock)
      .then(unlocked));
  it('is refused for a job that could judge nothing: there is no more of it', () => {
    for (const verdict of [
      { score: null, notJudged: 'refused' },
      { score: 0, shut: true },
    ] as const)
      given(
        ...through.map((event) =>
          event.type === 'JobReportReady' ? { ...event, data: { ...event.data, ...verdict } } : event,
        ),
        { type: 'JobCompleted', data: { jobId, completedAt: at(9) } },
      )
        .when(unlock)
        .thenRefused('ANALYSIS_WITHOUT_RESULT');
  });
  it('is refused for a job that has not ended, has no result, is already unlocked, or is deleted', () => {
    given(...through)
      .when(unlock)
      .thenRefused('JOB_NOT_FINISHED');
    for (const past of [failed, cancelled])
      given(...past)
        .when(unlock)
        .thenRefused('ANALYSIS_WITHOUT_RESULT');
    given(...completed, unlocked)
      .when(unlock)
      .thenRefused('ALREADY_UNLOCKED');
    given().when(unlock).thenRefused('JOB_NOT_FOUND');
    given(...completed, { type: 'JobDeleted', data: { jobId, userId, deletedAt: at(10) } })
      .when(unlock)
      .thenRefused('JOB_NOT_FOUND');
  });
});
