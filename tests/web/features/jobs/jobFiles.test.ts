/** The files that a job's page reads, and the numbers of the formula that it tells. */
import { describe, expect, it } from 'vitest';
import { pagesCsv } from '../../../../src/audit/report/pagesCsv.ts';
import { IMPACT_WEIGHTS, MIN_BASE, MIN_SHARE } from '../../../../src/audit/weights.ts';
import { readFindings } from '../../../../web/features/jobs/page/findingsFile.ts';
import { parseCsv, readPages } from '../../../../web/features/jobs/page/pagesCsv.ts';
import { changeOf } from '../../../../web/features/jobs/page/runsApi.ts';
import { SCORE_RULES } from '../../../../web/features/jobs/page/scoreRules.ts';
import { givenSite } from '../../../given/audit/page.ts';
import { run } from '../../given/findings.ts';

describe('pages.csv', () => {
  it('is read as the engine writes it', () => {
    const html = '<html lang="en"><head><title>=1+1, "quoted" ’text’</title></head><body><h1>Tea</h1></body></html>';
    const pages = readPages(pagesCsv(givenSite({ pages: [{ html }, { url: '/gone', status: 404 }, { url: '/dead', failure: 'timeout' }] }), []));
    expect(pages.map(({ url, status, title, problem }) => [url, status, title, problem])).toEqual([
      ['https://example.com/', 200, '=1+1, "quoted" ’text’', ''],
      ['https://example.com/gone', 404, '', ''],
      ['https://example.com/dead', null, '', 'timeout'],
    ]);
  });

  it('may have line breaks and empty cells', () => {
    expect(parseCsv('a,b,c\n"1\n2",,""\n,"x""y",z')).toEqual([
      ['a', 'b', 'c'],
      ['1\n2', '', ''],
      ['', 'x"y', 'z'],
    ]);
    expect(parseCsv('')).toEqual([]);
  });
});

describe('findings.json', () => {
  it.each(['', '<html>', 'null', '[]', '{"findings": 1}'])('that is none is told apart: %s', (text) => {
    expect(readFindings(text)).toBeNull();
  });
});

describe('the formula', () => {
  it('has the engine’s numbers', () => {
    expect(SCORE_RULES).toEqual({ ...IMPACT_WEIGHTS, leastShare: MIN_SHARE, leastBase: MIN_BASE });
  });
});

describe('the change of the score', () => {
  const runs = (...list: ReturnType<typeof run>[]) => ({ host: 'example.com', runs: list, truncated: false });

  it('is since the latest earlier run that can be compared', () => {
    const list = runs(
      run('a', { score: 60 }),
      run('b', { score: 70 }),
      run('c', { score: 99, comparable: false }),
      run('own', { score: 65 }),
      run('d', { score: 10 }),
    );
    expect(changeOf(list, 'own')).toMatchObject({ points: -5, run: { jobId: 'b' } });
  });

  it('is none for the first, and for one without a score', () => {
    expect(changeOf(runs(run('own')), 'own')).toBeNull();
    expect(changeOf(runs(run('a'), run('own', { score: null })), 'own')).toBeNull();
    expect(changeOf(runs(run('a')), 'own')).toBeNull();
  });
});
