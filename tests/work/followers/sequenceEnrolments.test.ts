import { afterEach, describe, expect, it } from 'vitest';
import { setMailChoice } from '../../../src/commands/account/setMailChoice.ts';
import { createSequenceEnrolments } from '../../../src/work/followers/sequenceEnrolments.ts';
import { atEveryCrash, orCrash, withAdmin } from '../../given/commands.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';
import { append, finishedJob } from '../../given/work/mailDelivery.ts';
import { activeSequence, provenUser, sequenceWorld, unprovenUser } from '../../given/work/sequences.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
afterEach(() => work.close());

const open = async () => {
  work = await openWork(await withAdmin());
  return { made: work.made, world: sequenceWorld(work) };
};
const enrolled = async () =>
  (await work.made.log()).flatMap(({ type, data }) =>
    type === 'SequenceEnrolled' ? [(data as { readonly trigger: string }).trigger] : [],
  );

describe('an enrolled user', () => {
  it('has a confirmed address, a first result, or an ended plan; once each', async () => {
    const { made, world } = await open();
    for (const trigger of ['sign_up', 'first_analysis', 'subscription_ended'] as const)
      await activeSequence(made, [1], trigger);
    const ann = await provenUser(made, 'ann@example.com');
    await finishedJob(made, ann, 'JobFailed');
    await world.follow();
    expect(await enrolled()).toEqual(['sign_up']);
    await finishedJob(made, ann);
    await finishedJob(made, ann);
    await append(made, `billing-${ann}`, {
      type: 'SubscriptionEnded',
      data: { userId: ann, subscriptionId: 'sub_1', tier: 'tier1', endedAt: made.now(), asOf: made.now() },
    });
    await world.follow();
    expect(await enrolled()).toEqual(['sign_up', 'first_analysis', 'subscription_ended']);
  });

  it('wants sequence emails, and is not older than the sequence', async () => {
    const { made, world } = await open();
    const old = await unprovenUser(made, 'old@example.com');
    await activeSequence(made, [1]);
    await old.prove();
    const { userId, prove } = await unprovenUser(made, 'ann@example.com');
    await setMailChoice(made.context(), { userId, mail: 'sequence', wanted: false });
    await prove();
    await world.follow();
    expect(await enrolled()).toEqual([]);
  });

  it('is enrolled once, wherever a process crashes, and only when the sequences are known', async () => {
    let deaths = 0;
    const scenes = atEveryCrash(async (breaking) => {
      const { made, world } = await open();
      await activeSequence(made, [1]);
      await activeSequence(made, [1]);
      await provenUser(made, 'ann@example.com');
      await orCrash(world.follow(breaking(made.store)));
      await world.follow();
      expect(await enrolled()).toHaveLength(2);
      await work.close();
      deaths += 1;
    });
    expect(await scenes).toBeGreaterThan(3);
    expect(deaths).toBeGreaterThan(3);
    const { made } = await open();
    await provenUser(made, 'ann@example.com');
    const waiting = createSequenceEnrolments({
      context: () => made.context(),
      asOf: asOfIf(false),
      activeSequences: async () => [],
    });
    await expect(followLog(made.store, waiting)).rejects.toMatchObject({ code: 'NOT_YET' });
    expect(waiting.begins).toBe('a_day_back');
  });
});
