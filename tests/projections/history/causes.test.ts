import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/domain/eventTypes.ts';
import { EVENTS_WITHOUT_CAUSES, hasCauses } from '../../../src/model/history/eventCauses.ts';
import { PROJECTIONS } from '../../../src/projections/all.ts';
import { causes } from '../../../src/projections/history/causes.ts';
import { createFollowers, type FollowerParts } from '../../../src/work/followers/all.ts';
import { WORK_RULES } from '../../../src/work/rules.ts';
import { project } from '../../given/stores/projection.ts';

describe('the read model of causes', () => {
  it('has the position and the cause of each event, and no more', () => {
    const documents = project(causes, {
      type: 'JobDeleted',
      data: { jobId: 'j1', userId: 'ann', deletedAt: '2026-03-01T00:00:00.000Z' },
    });
    expect(Object.values(documents)).toEqual([{ stream: 'test', revision: 0, correlationId: 'request of a test' }]);
  });

  it('takes every type except those excluded for a reason, and is one of the read models', () => {
    const taken = new Set<string>(causes.handles);
    expect(EVENT_TYPES.filter((type) => !taken.has(type)).sort()).toEqual(Object.keys(EVENTS_WITHOUT_CAUSES).sort());
    expect(PROJECTIONS.map(({ name }) => name)).toContain('causes');
  });

  it('includes everything that work or a follower handles', () => {
    const taking = new Proxy({}, { get: () => ({}) }) as FollowerParts;
    const followed = createFollowers(taking).flatMap(({ types }) => types);
    const opened = WORK_RULES.flatMap(({ opens }) => Object.keys(opens));
    expect([...followed, ...opened].filter((type) => !hasCauses(type))).toEqual([]);
  });
});
