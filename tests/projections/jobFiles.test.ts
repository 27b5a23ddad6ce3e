import { describe, expect, it } from 'vitest';
import type { JobDeletionsEvent, JobEvent } from '../../src/domain/job/events.ts';
import type { ReportPartWritten } from '../../src/domain/report/events.ts';
import { REPORT_FILES } from '../../src/model/jobs.ts';
import { getJobFile, jobFiles } from '../../src/projections/jobFiles.ts';
import { fold, project, recorded } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const at = '2026-03-01T10:00:00.000Z';
const jobId = 'job-1';
const userId = 'user-1';
const part = (file: string, text: string, index = 0, parts = 1): ReportPartWritten => ({
  type: 'ReportPartWritten',
  data: { jobId, userId, file, part: index, parts, text, writtenAt: at },
});
const deleted: Extract<JobEvent, { type: 'JobDeleted' }> = {
  type: 'JobDeleted',
  data: { jobId, userId, deletedAt: at },
};

describe('the files of a job', () => {
  it('are joined from their parts', () => {
    expect(
      project(
        jobFiles,
        part('pages.csv', 'a', 0, 3),
        part('findings.json', '{}'),
        part('pages.csv', 'b', 1, 3),
        part('pages.csv', 'c', 2, 3),
      ),
    ).toEqual({
      'job-1/pages.csv': { jobId, userId, name: 'pages.csv', content: 'abc', parts: 3, received: 3 },
      'job-1/findings.json': { jobId, userId, name: 'findings.json', content: '{}', parts: 1, received: 1 },
    });
  });
  it('are replaced when written again', () => {
    expect(
      project(jobFiles, part('pages.csv', 'a', 0, 2), part('pages.csv', 'b', 1, 2), part('pages.csv', 'new')),
    ).toMatchObject({
      'job-1/pages.csv': { content: 'new', parts: 1 },
    });
  });
  it('are all removed with their job', () => {
    expect(project(jobFiles, ...REPORT_FILES.map((name) => part(name, 'x')), deleted)).toEqual({});
  });
  it('are not created from a part out of order', () => {
    expect(() => fold(jobFiles, recorded([part('pages.csv', 'a', 0, 3), part('pages.csv', 'c', 2, 3)]))).toThrow(
      'does not follow',
    );
    expect(() => fold(jobFiles, recorded([part('pages.csv', 'a', 0, 3), part('pages.csv', 'b', 1, 2)]))).toThrow(
      'does not follow',
    );
  });
  it.each([
    ['one by one', deleted],
    [
      'all at once',
      { type: 'JobsDeleted', data: { userId, jobIds: [jobId], deletedAt: at } } satisfies JobDeletionsEvent,
    ],
  ])('stay removed when their job is deleted, %s, while a worker writes one', (_, deletion) => {
    expect(
      project(
        jobFiles,
        part('pages.csv', 'a', 0, 3),
        deletion,
        part('pages.csv', 'b', 1, 3),
        part('pages.csv', 'c', 2, 3),
      ),
    ).toEqual({});
  });

  it('are returned whole or not at all', async () => {
    const readModels = memoryReadModels();
    await readModels.prepare(jobFiles, 'v1');
    await readModels.serve('jobFiles', 'v1');
    const documents = project(jobFiles, part('pages.csv', 'a', 0, 2), part('findings.json', '{}'));
    const checkpoint = '9'.padStart(20, '0');
    const writes = Object.entries(documents).map(([id, data]) => ({ id, position: checkpoint, data }));
    await readModels.commit([{ model: 'jobFiles', build: 'v1', checkpoint, writes }]);
    expect((await getJobFile(readModels, jobId, 'findings.json'))?.data.content).toBe('{}');
    expect(await getJobFile(readModels, jobId, 'pages.csv')).toBeNull();
    expect(await getJobFile(readModels, jobId, 'executive-summary.md')).toBeNull();
    await readModels.close();
  });
});
