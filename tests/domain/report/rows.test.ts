import { describe, it } from 'vitest';
import type { ReportRows, ReportRowsWritten } from '../../../src/domain/report/events.ts';
import { type RowsCommand, rowsDecider } from '../../../src/domain/report/rows.ts';
import type { Finding } from '../../../src/model/findings.ts';
import { specOf } from '../../given/decider.ts';

describe('writing rows', () => {
  const given = specOf(rowsDecider);
  const at = '2026-03-01T10:00:00.000Z';
  const to = { jobId: 'job-1', userId: 'user-1' };
  const finding = (id: string): Finding => ({
    id,
    checkId: 'thin',
    category: 'content',
    impact: 'low',
    hint: false,
    message: 'Few words',
    code: null,
    evidence: { url: 'https://example.com/', place: 'main', value: '3' },
  });
  const rows = (...ids: string[]): ReportRows => ({ kind: 'findings', rows: ids.map(finding) });
  const write = (from: number, total: number, ...parts: ReportRows[]): RowsCommand => ({
    type: 'WriteReportRows',
    ...to,
    from,
    total,
    parts,
    at,
  });
  const written = (part: number, parts: number, these: ReportRows): ReportRowsWritten => ({
    type: 'ReportRowsWritten',
    data: { ...to, part, parts, writtenAt: at, ...these },
  });

  it('records each part', () =>
    given()
      .when(write(0, 2, rows('a'), rows('b')))
      .then(written(0, 2, rows('a')), written(1, 2, rows('b'))));
  it('continues where another worker stopped, and writes nothing twice', () => {
    given(written(0, 2, rows('a')))
      .when(write(0, 2, rows('a')))
      .thenNothing();
    given(written(0, 2, rows('a')))
      .when(write(1, 2, rows('b')))
      .then(written(1, 2, rows('b')));
  });
  it('starts over when the findings differ', () =>
    given(written(0, 1, rows('old')))
      .when(write(0, 2, rows('a')))
      .then(written(0, 2, rows('a'))));
  it('refuses a part out of order', () =>
    given(written(0, 3, rows('a')))
      .when(write(2, 3, rows('c')))
      .thenRefused('REPORT_WRITTEN_TWICE'));
});
