/** Reports from before checks told risk, gain and steps apart read in today's fields. */
import { describe, expect, it } from 'vitest';
import { currentEvent } from '../../../src/domain/stored/current.ts';

const check = {
  id: 'title-missing',
  title: 'Page has no title',
  category: 'content',
  difficulty: 'easy',
  minutes: 10,
  timeToResult: '1-2 weeks',
  source: 'HTML Living Standard',
};
const former = {
  ...check,
  why: 'Results make up a title.',
  businessValue: 'Your own title is shown.',
  fix: 'Write one.',
  codeExample: '<title>Tea</title>',
};
const present = {
  ...check,
  risk: 'Results make up a title.',
  gain: 'Your own title is shown.',
  steps: ['Write one.'],
  example: { before: null, after: '<title>Tea</title>' },
};

function read(data: object): object {
  const of = { jobId: 'job', userId: 'user', part: 0, parts: 1, writtenAt: '2026-11-01T00:00:00.000Z' };
  const metadata = {
    actor: { kind: 'worker', id: 'audit' },
    at: '2026-11-01T00:00:00.000Z',
    correlationId: 'correlation',
    causationId: 'cause',
    schemaVersion: 1,
  } as const;
  return currentEvent({ id: 'event', type: 'ReportRowsWritten', data: { ...of, ...data }, metadata }).data;
}

const overview = (causes: unknown) => ({ kind: 'overview', rows: [{ host: 'shop.example', causes }] });

describe('rows of version 1', () => {
  it('keep their texts, under the names of today', () => {
    expect(read(overview([{ check: former, impact: 'high' }]))).toMatchObject(
      overview([{ check: present, impact: 'high' }]),
    );
    expect(read(overview([{ check: { ...former, codeExample: null }, fix: 'Write all of them.' }]))).toMatchObject(
      overview([{ check: { ...present, example: null }, steps: ['Write all of them.'] }]),
    );
  });

  it('keep nothing of the former names', () => {
    expect(JSON.stringify(read(overview([{ check: former, fix: 'Write all of them.' }])))).not.toMatch(
      /"(?:why|businessValue|fix|codeExample)"/,
    );
  });

  it.each([
    ['findings', { kind: 'findings', rows: [{ id: '1', code: null }] }],
    ['rows that are no list', { kind: 'overview', rows: 'none' }],
    ['rows that are no records', overview('none')],
    ['causes that are no records', overview([null, 7])],
    ['a check that is no record', overview([{ check: null }])],
  ])('are passed through if they are %s', (_, data) => {
    expect(read(data)).toMatchObject(data);
  });
});
