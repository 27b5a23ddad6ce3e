import { afterEach, describe, expect, it } from 'vitest';
import { enrol } from '../../../src/commands/sequence/enrolments.ts';
import { addTemplate, deleteSequence } from '../../../src/commands/sequence/sequences.ts';
import { createSequenceSteps } from '../../../src/work/followers/sequenceSteps.ts';
import { atEveryCrash, orCrash, withAdmin } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';
import { receivingMailer } from '../../given/work/mailDelivery.ts';
import { activeSequence, provenUser, sequenceWorld } from '../../given/work/sequences.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
afterEach(() => work.close());

const open = async () => {
  work = await openWork(await withAdmin());
  return { made: work.made, world: sequenceWorld(work) };
};
const types = () => work.made.types('delivery-');

describe('the next step', () => {
  it('is scheduled once, wherever a process crashes', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made } = await open();
      const { sequenceId } = await activeSequence(made, [1]);
      const userId = await provenUser(made, 'ann@example.com');
      await enrol(made.context(), { userId, sequenceId, trigger: 'sign_up', triggeredAt: made.now() });
      const steps = (store = made.store) =>
        followLog(store, createSequenceSteps({ context: () => made.context(undefined, store) }));
      await orCrash(steps(breaking(made.store)));
      await steps();
      expect(await types()).toEqual(['SequenceEnrolled', 'SequenceMailScheduled']);
      await work.close();
    });
    expect(deaths).toBeGreaterThan(0);
    await open();
  });

  it('is not scheduled again for users who are through, when the log is processed again after a template was added', async () => {
    const { made, world } = await open();
    const { sequenceId } = await activeSequence(made, [0]);
    const { mailer } = receivingMailer();
    await provenUser(made, 'ann@example.com');
    await world.follow();
    work.start([world.kindOf(mailer)]);
    await work.settle();
    await world.follow();
    expect((await types()).at(-1)).toBe('SequenceFinished');
    await addTemplate(made.context(), {
      sequenceId,
      name: 'Late',
      subject: 'Late',
      content: 'Late',
      delayDays: 0,
      isActive: true,
    });
    await followLog(made.store, createSequenceSteps({ context: () => made.context() }));
    expect((await types()).at(-1)).toBe('SequenceFinished');
  });

  it('is the end if the sequence was deleted', async () => {
    const { made, world } = await open();
    const { sequenceId } = await activeSequence(made, [0, 1]);
    const { mailer } = receivingMailer();
    await provenUser(made, 'ann@example.com');
    await world.follow();
    work.start([world.kindOf(mailer)]);
    await work.settle();
    await deleteSequence(made.context(), { sequenceId });
    await world.follow();
    expect((await types()).at(-1)).toBe('SequenceStopped');
  });
});
