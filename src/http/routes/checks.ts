import * as z from 'zod';
import { CheckResponse, ChecksResponse } from '../contract/checks.ts';
import { HttpError } from '../request/errors.ts';
import { route } from '../routing/route.ts';

export const getChecks = route({
  method: 'GET',
  path: '/checks',
  access: 'public',
  summary: 'List the checks that audits make, by id',
  response: ChecksResponse,
  neverChanges: true,
  handler: async ({ deps }) => ({ success: true as const, data: await deps.reports.checks() }),
});

export const getCheck = route({
  method: 'GET',
  path: '/checks/{checkId}',
  access: 'public',
  summary: 'Get what one check finds, how it measures, what not fixing it costs, and how to fix it',
  params: z.object({ checkId: z.string().min(1).max(200) }),
  response: CheckResponse,
  refusals: ['CHECK_NOT_FOUND'],
  handler: async ({ deps, params }) => {
    const check = (await deps.reports.checks()).find(({ id }) => id === params.checkId);
    if (!check) throw new HttpError('CHECK_NOT_FOUND', 'There is no such check.');
    return { success: true as const, data: check };
  },
});
