/** What reads of one owner's reports hold in memory while they wait for one another. */
import { expect, test } from 'vitest';
import { openFile } from '../../../src/http/reports/openFile.ts';
import { openReport } from '../../../src/http/reports/openReport.ts';
import { JOB_ACCESSES, type JobAccess } from '../../../src/model/jobs.ts';
import type { JobDocument } from '../../../src/projections/jobs.ts';
import type { Documents } from '../../../src/readModels/readModels.ts';
import { storedReports } from '../../../src/start/reports/storedReports.ts';

const FINDINGS = JSON.stringify({ findings: [], checks: [], outcomes: [] });

/** A store with the files of every job, which answers when it is told to. */
function slowStore() {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const get = (async (model: string, id: string) => {
    if (model !== 'jobFiles') return null;
    asked.push(id);
    await new Promise<void>((resolve) => answers.push(resolve));
    const file = { jobId: id, userId: '', name: '', content: FINDINGS, parts: 1, received: 1 };
    return { id, position: '', data: file };
  }) as unknown as Documents['get'];
  return { asked, answers, deps: { reports: storedReports, readModels: { get, getMany: async () => [] } } };
}

const jobOf = (userId: string, access: JobAccess) =>
  ({ jobId: `job of ${userId}`, userId, access, finished: true, status: 'completed' }) as JobDocument;

/** Long enough for every read that waits for nothing but the event loop. */
async function settled(): Promise<void> {
  for (let round = 0; round < 200; round += 1) await new Promise(setImmediate);
}

const READS = {
  'of a file': { read: openFile, filesOfOne: 1 },
  'of a report that has only files': { read: openReport, filesOfOne: 2 },
} as const;

test.each(
  JOB_ACCESSES.flatMap((access) =>
    (['of a file', 'of a report that has only files'] as const).flatMap((what) =>
      [0, 1, 100].map((reads) => ({ access, what, reads })),
    ),
  ),
)('$reads reads $what ($access) have one in memory at a time', async ({ access, what, reads }) => {
  const { asked, answers, deps } = slowStore();
  const { read, filesOfOne } = READS[what];
  const ofAnn = Array.from({ length: reads }, () => read(deps, jobOf('ann', access), 'findings.json'));
  const ofBen = read(deps, jobOf('ben', access), 'findings.json');
  await settled();
  expect(asked.filter((id) => id.startsWith('job of ann'))).toHaveLength(reads === 0 ? 0 : filesOfOne);
  // Another owner's waits for none of them.
  expect(asked.filter((id) => id.startsWith('job of ben'))).toHaveLength(filesOfOne);
  while (asked.length < (reads + 1) * filesOfOne || answers.length > 0) {
    for (const answer of answers.splice(0)) answer();
    await settled();
  }
  expect(await Promise.all([...ofAnn, ofBen])).not.toContain(null);
});
