import { describe, expect, it } from 'vitest';
import { networkKeyOf } from '../../../src/readModels/networkKeys.ts';
import { createOldNetworkKeys } from '../../../src/work/sweeps/oldNetworkKeys.ts';
import { givenMarks } from '../../given/work/following.ts';

const never = new AbortController().signal;

describe('the keys of submitters’ networks', () => {
  it('are deleted two days after theirs, also when the sweep has not run for weeks', async () => {
    const marks = givenMarks();
    for (const day of ['2026-02-01', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'])
      await networkKeyOf(marks, day);
    let now = '2026-03-10T00:00:01.000Z';
    const sweep = createOldNetworkKeys({ marks, now: () => now });
    const { kept } = await sweep.run(null, never);
    expect([...marks.kept.keys()]).toEqual(['network-key/2026-03-09', 'network-key/2026-03-10']);
    now = '2026-03-25T12:00:00.000Z';
    await networkKeyOf(marks, '2026-03-25');
    await sweep.run(kept, never);
    expect([...marks.kept.keys()]).toEqual(['network-key/2026-03-25']);
  });
});
