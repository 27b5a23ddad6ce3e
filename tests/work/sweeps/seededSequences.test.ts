import { expect, it } from 'vitest';
import { SEEDED_SEQUENCES } from '../../../src/commands/sequence/seeds.ts';
import { deleteSequence } from '../../../src/commands/sequence/sequences.ts';
import { SEQUENCE_LIMITS } from '../../../src/model/sequences.ts';
import { createSeededSequences } from '../../../src/work/sweeps/seededSequences.ts';
import { templateFaults } from '../../../src/workers/mails/sequences/sequenceMail.ts';
import { atEveryCrash, orCrash, product } from '../../given/commands.ts';
import { still } from '../../given/work/following.ts';

it('creates the initial sequences of an installation once, disabled, wherever a process crashes', async () => {
  const deaths = await atEveryCrash(async (breaking) => {
    const made = product();
    const broken = breaking(made.store);
    await orCrash(createSeededSequences({ context: () => made.context(undefined, broken) }).run(null, still));
    const sweep = createSeededSequences({ context: () => made.context() });
    const { kept } = await sweep.run(null, still);
    expect(await sweep.run(kept, still)).toEqual({ done: 0, kept });
    expect(await sweep.run(null, still)).toMatchObject({ done: 0 });
    const added = (await made.types('sequence-')).filter((type) => type === 'SequenceTemplateAdded');
    expect(added).toHaveLength(4);
    expect((await made.types('sequence-')).filter((type) => type === 'SequenceActivated')).toEqual([]);
  });
  expect(deaths).toBe(4);
});

it('does not restore a deleted one', async () => {
  const made = product();
  const sweep = createSeededSequences({ context: () => made.context() });
  await sweep.run(null, still);
  const { sequenceId = '' } = ((await made.log())[0]?.data ?? {}) as { readonly sequenceId?: string };
  await deleteSequence(made.context(), { sequenceId });
  expect((await sweep.run(null, still)).done).toBe(0);
  expect((await made.types('sequence-')).at(-1)).toBe('SequenceDeleted');
});

it('creates nothing that could not be sent', () => {
  for (const { templates, description } of SEEDED_SEQUENCES) {
    expect(description.length).toBeLessThanOrEqual(SEQUENCE_LIMITS.description);
    for (const template of templates) {
      expect(templateFaults(template)).toEqual([]);
      expect(template.subject.length).toBeLessThanOrEqual(SEQUENCE_LIMITS.subject);
    }
  }
});
