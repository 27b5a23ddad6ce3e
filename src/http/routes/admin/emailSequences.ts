/** Email sequences: creating, editing, turning on and off, and their results. */
import * as z from 'zod';
import { createSequence, deleteSequence, editSequence } from '../../../commands/sequence/sequences.ts';
import { sequenceFigures } from '../../../projections/sequences/sequenceFigures.ts';
import {
  getSequence,
  listSequences,
  type SequenceDocument,
  templatesOf,
} from '../../../projections/sequences/sequences.ts';
import {
  CreateSequenceRequest,
  EditSequenceRequest,
  RemovedResponse,
  SequenceFiguresResponse,
  SequenceResponse,
  SequencesQuery,
  SequencesResponse,
} from '../../contract/admin/emailSequences.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { presentSequence, presentSequenceFigures, presentSequenceRow } from '../../present/admin/emailSequences.ts';
import { HttpError } from '../../request/errors.ts';
import { afterWrite, type Made } from '../../routing/afterWrite.ts';
import { justMadeSequence } from '../../routing/justMade.ts';
import { route } from '../../routing/route.ts';

const SequenceParams = z.object({ sequenceId: z.string().min(1).max(64) });
const SEQUENCES_PAGE = 50;
const madeSequence = (sequenceId: string): Made => ({
  ids: { sequenceId },
  location: `/admin/email-sequences/sequences/${sequenceId}`,
});

/** @throws HttpError SEQUENCE_NOT_FOUND, NOT_SHOWN_YET */
export async function knownSequence(deps: HttpDeps, sequenceId: string): Promise<SequenceDocument> {
  const sequence = (await getSequence(deps.readModels, sequenceId)) ?? (await justMadeSequence(deps, sequenceId));
  if (!sequence) throw new HttpError('SEQUENCE_NOT_FOUND', 'There is no such sequence.');
  return sequence.data;
}

async function sequenceAnswer(deps: HttpDeps, sequenceId: string): Promise<SequenceResponse> {
  const sequence = presentSequence(await knownSequence(deps, sequenceId));
  return { success: true, sequence, ...sequence };
}

/** Characters of all templates in one answer. Those of one sequence are always in it. */
const MOST_CONTENT = 1_000_000;

/** Shorter than asked for if the templates are long. */
async function sequencesPage({ readModels }: HttpDeps, query: z.infer<typeof SequencesQuery>) {
  const from = query.cursor ? { cursor: query.cursor } : {};
  const page = await listSequences(readModels, { limit: query.limit ?? SEQUENCES_PAGE, ...from });
  let content = 0;
  const fitting = page.documents.findIndex(({ data }, nth) => {
    content += templatesOf(data).reduce((sum, template) => sum + template.content.length, 0);
    return nth > 0 && content > MOST_CONTENT;
  });
  return fitting < 0 ? page : listSequences(readModels, { limit: fitting, ...from });
}

export const getSequences = route({
  method: 'GET',
  path: '/admin/email-sequences/sequences',
  access: 'admin',
  summary: 'List email sequences, oldest first',
  query: SequencesQuery,
  response: SequencesResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, query }) => {
    const page = await sequencesPage(deps, query);
    return {
      success: true as const,
      sequences: page.documents.map(({ data }) => presentSequenceRow(data)),
      cursor: page.cursor,
    };
  },
});

export const postSequence = route({
  method: 'POST',
  path: '/admin/email-sequences/sequences',
  access: 'admin',
  summary: 'Create an email sequence, switched off and without templates',
  body: CreateSequenceRequest,
  example: { name: 'Welcome', description: 'For new users', trigger: 'sign_up' },
  response: SequenceResponse,
  status: 201,
  answerMayLag: true,
  handler: async ({ deps, command, body }) => {
    const { sequenceId, position } = await createSequence(command, body);
    return afterWrite(deps, { position, made: madeSequence(sequenceId) }, (readModels) =>
      sequenceAnswer({ ...deps, readModels }, sequenceId),
    );
  },
});

export const getOneSequence = route({
  method: 'GET',
  path: '/admin/email-sequences/sequences/{sequenceId}',
  access: 'admin',
  summary: 'Get an email sequence with its templates, by step',
  params: SequenceParams,
  response: SequenceResponse,
  refusals: ['SEQUENCE_NOT_FOUND'],
  handler: async ({ deps, params }) => sequenceAnswer(deps, params.sequenceId),
});

export const putSequence = route({
  method: 'PUT',
  path: '/admin/email-sequences/sequences/{sequenceId}',
  access: 'admin',
  summary: 'Edit an email sequence, or turn it on or off. Accounts that sign up after it is turned on are enrolled',
  params: SequenceParams,
  body: EditSequenceRequest,
  example: { description: 'For everybody who signs up' },
  response: SequenceResponse,
  refusals: ['SEQUENCE_NOT_FOUND', 'SEQUENCE_ACTIVE', 'SEQUENCE_EMPTY'],
  answerMayLag: true,
  handler: async ({ deps, command, params, body, log, caller }) => {
    const { is_active: isActive, ...changes } = body;
    const { position } = await editSequence(command, {
      ...params,
      ...changes,
      ...(isActive === undefined ? {} : { isActive }),
    });
    if (isActive !== undefined)
      log().info(
        { event: 'sequence_switched', userId: caller.userId, ...params, isActive },
        'an email sequence was switched',
      );
    return afterWrite(deps, { position, made: madeSequence(params.sequenceId) }, (readModels) =>
      sequenceAnswer({ ...deps, readModels }, params.sequenceId),
    );
  },
});

export const removeSequence = route({
  method: 'DELETE',
  path: '/admin/email-sequences/sequences/{sequenceId}',
  access: 'admin',
  summary: 'Delete an email sequence; nothing more of it is sent',
  params: SequenceParams,
  response: RemovedResponse,
  refusals: ['SEQUENCE_NOT_FOUND'],
  handler: async ({ deps, command, params }) => {
    const { position } = await deleteSequence(command, params);
    const answer = { success: true as const, message: 'Sequence deleted' };
    return afterWrite(deps, { position, answer }, (shown) => getSequence(shown, params.sequenceId));
  },
});

export const getSequenceFigures = route({
  method: 'GET',
  path: '/admin/email-sequences/sequences/{sequenceId}/figures',
  access: 'admin',
  summary: 'Get how many users were enrolled in an email sequence, and the outcome of each step, deleted ones included',
  params: SequenceParams,
  response: SequenceFiguresResponse,
  refusals: ['SEQUENCE_NOT_FOUND'],
  handler: async ({ deps, params: { sequenceId } }) => {
    const figures = await sequenceFigures(deps.readModels, await knownSequence(deps, sequenceId));
    return { success: true as const, ...presentSequenceFigures(figures) };
  },
});
