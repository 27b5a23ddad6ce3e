import * as z from 'zod';
import { FileResponse } from '../contract/jobs.ts';
import { openFile } from '../reports/openFile.ts';
import { route } from '../routing/route.ts';
import { JobParams } from './jobs.ts';

export const FileParams = JobParams.extend({ fileName: z.string().min(1).max(200) });

export const getFile = route({
  method: 'GET',
  path: '/jobs/{jobId}/files/{fileName}',
  access: 'owner-of-job',
  summary: 'Get the text of one of a job’s files',
  params: FileParams,
  response: FileResponse,
  limit: 'reports',
  refusals: ['FILE_NOT_FOUND'],
  handler: async (request) => {
    const data = await openFile(request.deps, request.job.data, request.params.fileName);
    request.deps.reportOpenings.note(request);
    return { success: true as const, data };
  },
});
