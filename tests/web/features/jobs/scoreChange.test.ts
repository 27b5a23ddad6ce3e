/** The change of a job's score. */
import { describe, expect, it } from 'vitest';
import { changeOf, partChanged } from '../../../../web/features/jobs/page/runsApi.ts';
import { run } from '../../given/findings.ts';

describe('the change of the score', () => {
  const runs = (...list: ReturnType<typeof run>[]) => ({ host: 'example.com', runs: list, truncated: false });

  it('is relative to the latest earlier comparable audit', () => {
    const list = runs(
      run('a', { score: 60 }),
      run('b', { score: 70 }),
      run('c', { score: 99, comparable: false }),
      run('own', { score: 65 }),
      run('d', { score: 10 }),
    );
    expect(changeOf(list, 'own')).toMatchObject({ points: -5, run: { jobId: 'b' } });
  });

  it('is empty for the first, and for one without a score', () => {
    expect(changeOf(runs(run('own')), 'own')).toBeNull();
    expect(changeOf(runs(run('a'), run('own', { score: null })), 'own')).toBeNull();
    expect(changeOf(runs(run('a')), 'own')).toBeNull();
  });

  it('is none between parts of the site, whatever their limit of pages', () => {
    const blog = run('a', { settings: { folder: '/blog/' } });
    expect(partChanged(runs(blog, run('own')), 'own')).toBe(true);
    expect(partChanged(runs(run('a'), { ...blog, jobId: 'own' }), 'own')).toBe(true);
    expect(partChanged(runs(blog, run('own', { settings: { folder: '/blog/', maxPages: 5 } })), 'own')).toBe(false);
    expect(partChanged(runs(run('own')), 'own')).toBe(false);
    expect(partChanged(runs(blog, run('own', { score: null })), 'own')).toBe(false);
  });
});
