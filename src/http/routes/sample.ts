import { SampleResponse } from '../contract/sample.ts';
import { HttpError } from '../request/errors.ts';
import { route } from '../routing/route.ts';

export const getSample = route({
  method: 'GET',
  path: '/sample',
  access: 'public',
  summary: 'Get a sample report: a real audit of the built-in demo site, made when this version was built',
  response: SampleResponse,
  refusals: ['NOT_FOUND'],
  neverChanges: true,
  handler: async ({ deps: { sample } }) => {
    if (!sample) throw new HttpError('NOT_FOUND', 'This installation has no sample report.');
    return { success: true as const, data: sample };
  },
});
