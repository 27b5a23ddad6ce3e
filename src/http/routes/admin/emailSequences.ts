/** Email sequences: creating, editing, turning on and off, and their results. */
import * as z from 'zod';
import { createSequence, deleteSequence, editSequence } from '../../../commands/sequence/sequences.ts';
import { sequenceFigures } from '../../../projections/sequences/sequenceFigures.ts';
import { getSequence, listSequences, type SequenceDocument } from '../../../projections/sequences/sequences.ts';
import { listSequenceTemplates } from '../../../projections/sequences/sequenceTemplates.ts';
import type { ReadModels } from '../../../readModels/readModels.ts';
import {
  CreateSequenceRequest,
  EditSequenceRequest,
  RemovedResponse,
  SequenceFiguresResponse,
  SequenceResponse,
  SequencesQuery,
  SequencesResponse,
} from '../../contract/admin/emailSequences.ts';
import { HttpError } from '../../errors.ts';
import { presentSequence, presentSequenceFigures, presentSequenceRow } from '../../present/admin/emailSequences.ts';
import { caughtUp } from '../../readYourWrites.ts';
import { route } from '../../route.ts';

const SequenceParams = z.object({ sequenceId: z.string().min(1).max(64) });
const SEQUENCES_PAGE = 50;
const SHOWN = ['sequences', 'sequenceTemplates'];

/** @throws HttpError SEQUENCE_NOT_FOUND */
export async function knownSequence(readModels: ReadModels, sequenceId: string): Promise<SequenceDocument> {
  const sequence = await getSequence(readModels, sequenceId);
  if (!sequence) throw new HttpError('SEQUENCE_NOT_FOUND', 'There is no such sequence.');
  return sequence.data;
}

async function sequenceAnswer(readModels: ReadModels, sequenceId: string): Promise<SequenceResponse> {
  const sequence = presentSequence(await knownSequence(readModels, sequenceId), await listSequenceTemplates(readModels, sequenceId));
  return { success: true, sequence, ...sequence };
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
    const page = await listSequences(deps.readModels, { limit: query.limit ?? SEQUENCES_PAGE, ...(query.cursor ? { cursor: query.cursor } : {}) });
    return { success: true as const, sequences: page.documents.map(({ data }) => presentSequenceRow(data)), cursor: page.cursor };
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
  handler: async ({ deps, command, body }) => {
    const { sequenceId, position } = await createSequence(command, body);
    await caughtUp(deps, SHOWN, position);
    return sequenceAnswer(deps.readModels, sequenceId);
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
  handler: async ({ deps, params }) => sequenceAnswer(deps.readModels, params.sequenceId),
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
  handler: async ({ deps, command, params, body, log, caller }) => {
    const { is_active: isActive, ...changes } = body;
    const { position } = await editSequence(command, { ...params, ...changes, ...(isActive === undefined ? {} : { isActive }) });
    await caughtUp(deps, SHOWN, position);
    if (isActive !== undefined) log().info({ event: 'sequence_switched', userId: caller.userId, ...params, isActive }, 'an email sequence was switched');
    return sequenceAnswer(deps.readModels, params.sequenceId);
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
    await caughtUp(deps, SHOWN, position);
    return { success: true as const, message: 'Sequence deleted' };
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
  handler: async ({ deps: { readModels }, params: { sequenceId } }) => {
    await knownSequence(readModels, sequenceId);
    return { success: true as const, ...presentSequenceFigures(await sequenceFigures(readModels, sequenceId)) };
  },
});
