import { describe, it } from 'vitest';
import type { PageRecordEvent } from '../../../src/domain/report/events.ts';
import { type PageRecordsCommand, pageRecordsDecider } from '../../../src/domain/report/pageRecords.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(pageRecordsDecider);
const at = '2026-03-01T10:00:00.000Z';
const to = { jobId: 'job-1', userId: 'user-1' };
type Kind = 'pages' | 'links';

const write = (kind: Kind, from: number, total: number, ...texts: string[]): PageRecordsCommand => ({
  type: 'WritePageRecords',
  ...to,
  kind,
  from,
  total,
  parts: texts.map((text) => ({ rows: 10, text })),
  at,
});
const written = (kind: Kind, part: number, parts: number, text: string): PageRecordEvent => ({
  type: 'PageRecordsWritten',
  data: { ...to, kind, part, parts, rows: 10, text, writtenAt: at },
});
const removed: PageRecordEvent = { type: 'PageRecordsRemoved', data: { ...to, removedAt: at } };
const remove: PageRecordsCommand = { type: 'RemovePageRecords', jobId: 'job-1', at };

describe('writing page records', () => {
  it('records each part of each kind', () => {
    given()
      .when(write('pages', 0, 2, 'a', 'b'))
      .then(written('pages', 0, 2, 'a'), written('pages', 1, 2, 'b'));
    given(written('pages', 0, 1, 'a'))
      .when(write('links', 0, 1, 'l'))
      .then(written('links', 0, 1, 'l'));
  });
  it('continues where another worker stopped, and writes nothing twice', () => {
    given(written('pages', 0, 2, 'a'))
      .when(write('pages', 0, 2, 'a'))
      .thenNothing();
    given(written('pages', 0, 2, 'a'))
      .when(write('pages', 1, 2, 'b'))
      .then(written('pages', 1, 2, 'b'));
  });
  it('starts over when they differ, and never mixes two versions', () => {
    given(written('pages', 0, 1, 'old'))
      .when(write('pages', 0, 2, 'a'))
      .then(written('pages', 0, 2, 'a'));
    given(written('pages', 0, 2, 'a'))
      .when(write('pages', 2, 3, 'c'))
      .thenRefused('REPORT_WRITTEN_TWICE');
  });
});

describe('removing page records', () => {
  it('says once that they are gone', () => {
    given(written('pages', 0, 1, 'a'))
      .when(remove)
      .then(removed);
    given(written('pages', 0, 1, 'a'), removed)
      .when(remove)
      .thenNothing();
    given(removed).when(remove).thenNothing();
    given().when(remove).thenNothing();
  });
});
