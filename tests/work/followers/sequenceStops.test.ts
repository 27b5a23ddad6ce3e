import { afterEach, describe, expect, it } from 'vitest';
import { setMailChoice } from '../../../src/commands/account/setMailChoice.ts';
import { createSequenceStops } from '../../../src/work/followers/sequenceStops.ts';
import { atEveryCrash, orCrash, withAdmin } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';
import { append } from '../../given/work/mailDelivery.ts';
import { activeSequence, provenUser, sequenceWorld } from '../../given/work/sequences.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
afterEach(() => work.close());

const open = async () => {
  work = await openWork(await withAdmin());
  const world = sequenceWorld(work);
  await activeSequence(work.made, [1]);
  const ann = await provenUser(work.made, 'ann@example.com');
  await world.follow();
  return { made: work.made, ann };
};
const stops = async () =>
  (await work.made.log()).flatMap(({ type, data }) =>
    type === 'SequenceStopped' ? [(data as { readonly reason: string }).reason] : [],
  );

describe('the sequences of a user', () => {
  it('end once when they are turned off, wherever a process crashes', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, ann } = await open();
      await setMailChoice(made.context(), { userId: ann, mail: 'sequence', wanted: false });
      const broken = breaking(made.store);
      await orCrash(followLog(broken, createSequenceStops({ context: () => made.context(undefined, broken) })));
      await followLog(made.store, createSequenceStops({ context: () => made.context() }));
      await followLog(made.store, createSequenceStops({ context: () => made.context() }));
      expect(await stops()).toEqual(['turned_off']);
      await work.close();
    });
    expect(deaths).toBeGreaterThan(0);
    await open();
  });

  it('end when the address turns out to belong to another account, and continue when only other emails are turned off or they are turned on again', async () => {
    const { made, ann } = await open();
    await setMailChoice(made.context(), { userId: ann, mail: 'job_done', wanted: false });
    await setMailChoice(made.context(), { userId: ann, mail: 'sequence', wanted: false });
    await setMailChoice(made.context(), { userId: ann, mail: 'sequence', wanted: true });
    await followLog(made.store, createSequenceStops({ context: () => made.context() }));
    expect(await stops()).toEqual([]);
    await append(made, `account-${ann}`, {
      type: 'AccountEmailLost',
      data: { userId: ann, email: 'ann@example.com', lostAt: made.now() },
    });
    await followLog(made.store, createSequenceStops({ context: () => made.context() }));
    expect(await stops()).toEqual(['not_confirmed']);
  });
});
