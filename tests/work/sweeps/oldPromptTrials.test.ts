import { describe, expect, it } from 'vitest';
import { requestPromptTrial } from '../../../src/commands/promptTrial/requestPromptTrial.ts';
import { dropWork } from '../../../src/commands/work/dropWork.ts';
import { promptTrialStream } from '../../../src/domain/promptTrial/events.ts';
import { PROMPT_TRIAL } from '../../../src/work/kinds/promptTrial.ts';
import { createOldPromptTrials } from '../../../src/work/sweeps/oldPromptTrials.ts';
import { atEveryCrash, orCrash, type Product } from '../../given/commands.ts';
import { finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { verified } from '../../given/stores/logFiles.ts';
import { still } from '../../given/work/following.ts';

type Ended = { readonly jobId: string; readonly ask: number; readonly givenUpAt: string };

/** As in the read model. */
const endedIn = (made: Product) => async (before: string, limit: number) => {
  const log = await made.log();
  const forgotten = new Set(log.flatMap(({ type, stream }) => (type === 'PromptTrialForgotten' ? [stream] : [])));
  return log
    .flatMap(({ type, stream, data }) =>
      type === 'PromptTrialGivenUp' && !forgotten.has(stream) ? [data as Ended] : [],
    )
    .filter(({ givenUpAt }) => givenUpAt < before)
    .map(({ jobId, ask }) => ({ job_id: jobId, ask }))
    .slice(0, limit);
};

async function ended(made?: Product) {
  const job = await finishedAnalysis(made ? { made } : {});
  await requestPromptTrial(job.made.context(), {
    jobId: job.jobId,
    adminId: 'ada',
    key: 'summary',
    content: 'Tell of Ann.',
  });
  await dropWork(job.made.context(), {
    kind: PROMPT_TRIAL,
    itemId: job.jobId,
    lane: 'ada',
    opener: { type: 'PromptTrialAsked' },
  });
  return job;
}

describe('the answers of prompt trials', () => {
  it('are erased an hour after their end', async () => {
    const { made, jobId } = await ended();
    const sweep = createOldPromptTrials({ context: made.context, listEnded: endedIn(made), reached: async () => true });
    made.pass(59);
    expect((await sweep.run(null, still)).done).toBe(0);
    made.pass(2);
    const { jobId: young } = await ended(made);
    expect((await sweep.run(null, still)).done).toBe(1);
    expect(await made.types(promptTrialStream(jobId))).toEqual(['PromptTrialForgotten']);
    expect(await made.types(promptTrialStream(young))).toEqual(['PromptTrialAsked', 'PromptTrialGivenUp']);
    expect((await sweep.run(null, still)).done).toBe(0);
  });

  it('are no damage to the log once erased, nor are later trials', async () => {
    const { made, jobId } = await ended();
    const faults = async () =>
      (await verified(made.store)).found.filter(({ stream }) => stream === promptTrialStream(jobId));
    made.pass(61);
    await createOldPromptTrials({ context: made.context, listEnded: endedIn(made), reached: async () => true }).run(
      null,
      still,
    );
    expect(await faults()).toEqual([]);
    await requestPromptTrial(made.context(), { jobId, adminId: 'ada', key: 'summary', content: 'Tell of Bob.' });
    expect(await made.types(promptTrialStream(jobId))).toEqual(['PromptTrialForgotten', 'PromptTrialAsked']);
    expect(await faults()).toEqual([]);
  });

  it('are erased by the next run after a crash', async () => {
    await atEveryCrash(async (breaking) => {
      const { made, jobId } = await ended();
      made.pass(61);
      const run = (store = made.store) =>
        createOldPromptTrials({
          context: (cause) => made.context(cause ?? undefined, store),
          listEnded: endedIn(made),
          reached: async () => true,
        }).run(null, still);
      await orCrash(run(breaking(made.store)));
      await run();
      expect((await made.types(promptTrialStream(jobId))).at(-1)).toBe('PromptTrialForgotten');
    });
  });
});
