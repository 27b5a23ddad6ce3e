import { z } from 'zod';
import { getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { FILE_NAMES, FileResponse } from '../contract/jobs.ts';
import { fileNotFound } from '../errors.ts';
import { previewOf } from '../present/filePreview.ts';
import { route } from '../route.ts';

const isFileName = (name: string): name is (typeof FILE_NAMES)[number] => (FILE_NAMES as readonly string[]).includes(name);

export const getFile = route({
  method: 'GET',
  path: '/jobs/{jobId}/files/{fileName}',
  access: 'owner-of-job',
  summary: 'The text of one of a job’s files',
  params: z.object({ jobId: z.string().min(1).max(200), fileName: z.string().min(1).max(200) }),
  response: FileResponse,
  refusals: ['FILE_NOT_FOUND'],
  handler: async ({ deps, job, params }) => {
    const { fileName } = params;
    if (!isFileName(fileName)) throw fileNotFound();
    const file = await getJobFile(deps.readModels, job.data.jobId, fileName);
    if (!file) throw fileNotFound();
    const content = job.data.access === 'full' ? file.data.content : previewOf(fileName, file.data.content, await getBoard(deps.readModels, job.data.jobId));
    return { success: true as const, data: { jobId: job.data.jobId, name: fileName, content } };
  },
});
