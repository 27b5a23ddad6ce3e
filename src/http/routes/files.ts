import { z } from 'zod';
import { REPORT_FILES } from '../../model/jobs.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { showsFiles } from '../../projections/jobs.ts';
import { FileResponse } from '../contract/jobs.ts';
import { fileNotFound } from '../errors.ts';
import { shownContent } from '../reports/previewFiles.ts';
import { route } from '../route.ts';
import { JobParams } from './jobs.ts';

const isFileName = (name: string): name is (typeof REPORT_FILES)[number] => (REPORT_FILES as readonly string[]).includes(name);

export const getFile = route({
  method: 'GET',
  path: '/jobs/{jobId}/files/{fileName}',
  access: 'owner-of-job',
  summary: 'The text of one of a job’s files',
  params: JobParams.extend({ fileName: z.string().min(1).max(200) }),
  response: FileResponse,
  refusals: ['FILE_NOT_FOUND'],
  handler: async ({ deps, job, params }) => {
    const { fileName } = params;
    if (!isFileName(fileName)) throw fileNotFound();
    const file = showsFiles(job.data) ? await getJobFile(deps.readModels, job.data.jobId, fileName) : null;
    if (!file) throw fileNotFound();
    const { jobId, access } = job.data;
    return { success: true as const, data: { jobId, name: fileName, content: await shownContent(deps, access, file.data, fileName) } };
  },
});
