/** Templates of email sequences. A template that cannot be sent is not saved. */
import * as z from 'zod';
import { addTemplate, changeTemplate, removeTemplate, requestTestMail } from '../../../commands/sequence/sequences.ts';
import {
  getSequence,
  getSequenceTemplate,
  type SequenceTemplateDocument,
} from '../../../projections/sequences/sequences.ts';
import { accountOf } from '../../auth/accountOf.ts';
import {
  CreateSequenceTemplateRequest,
  EditSequenceTemplateRequest,
  PreviewTemplateRequest,
  PreviewTemplateResponse,
  RemovedResponse,
  SequenceTemplateResponse,
  TestTemplateResponse,
} from '../../contract/admin/emailSequences.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { presentSequenceTemplate } from '../../present/admin/emailSequences.ts';
import { HttpError, unauthenticated } from '../../request/errors.ts';
import { afterWrite, type Made } from '../../routing/afterWrite.ts';
import { justMadeTemplate } from '../../routing/justMade.ts';
import { route } from '../../routing/route.ts';
import { knownSequence } from './emailSequences.ts';

const TemplateParams = z.object({ templateId: z.string().min(1).max(64) });
const madeTemplate = (templateId: string): Made => ({
  ids: { templateId },
  location: `/admin/email-sequences/templates/${templateId}`,
});

/** @throws HttpError TEMPLATE_NOT_FOUND, NOT_SHOWN_YET */
async function knownTemplate(deps: HttpDeps, templateId: string): Promise<SequenceTemplateDocument> {
  const template =
    (await getSequenceTemplate(deps.readModels, templateId)) ?? (await justMadeTemplate(deps, templateId));
  if (!template) throw new HttpError('TEMPLATE_NOT_FOUND', 'There is no such template.');
  return template;
}

const templateAnswer = async (deps: HttpDeps, templateId: string): Promise<SequenceTemplateResponse> => ({
  success: true,
  template: presentSequenceTemplate(await knownTemplate(deps, templateId)),
});

/** @throws HttpError TEMPLATE_INVALID with the position of each error */
function requireSendable(
  { sequenceTexts }: HttpDeps,
  texts: { readonly subject: string; readonly content: string },
): void {
  const faults = sequenceTexts.faults(texts);
  const [first] = faults;
  if (!first) return;
  const where = first.field === 'subject' ? 'Subject' : `Content, line ${first.line}`;
  throw new HttpError('TEMPLATE_INVALID', `${where}: ${first.message}`, { details: { faults } });
}

type Fields = z.output<typeof EditSequenceTemplateRequest>;
const fieldsOf = ({
  step_number: stepNumber,
  delay_days: delayDays,
  is_active: isActive,
  version: basedOn,
  ...texts
}: Fields) => ({
  ...texts,
  ...(stepNumber === undefined ? {} : { stepNumber }),
  ...(delayDays === undefined ? {} : { delayDays }),
  ...(isActive === undefined ? {} : { isActive }),
  ...(basedOn === undefined ? {} : { basedOn }),
});

export const postTemplate = route({
  method: 'POST',
  path: '/admin/email-sequences/sequences/{sequenceId}/templates',
  access: 'admin',
  summary: 'Add a template to an email sequence',
  params: z.object({ sequenceId: z.string().min(1).max(64) }),
  body: CreateSequenceTemplateRequest,
  example: { name: 'Getting started', subject: 'Welcome to {{company_name}}', content: 'Hi {{user_name}}' },
  response: SequenceTemplateResponse,
  status: 201,
  refusals: ['SEQUENCE_NOT_FOUND', 'TEMPLATE_INVALID', 'STEP_TAKEN', 'TOO_MANY_TEMPLATES'],
  answerMayLag: true,
  handler: async ({ deps, command, params, body }) => {
    await knownSequence(deps, params.sequenceId);
    requireSendable(deps, body);
    const { name, subject, content, delay_days: delayDays, is_active: isActive, step_number: stepNumber } = body;
    const template = {
      name,
      subject,
      content,
      delayDays,
      isActive,
      ...(stepNumber === undefined ? {} : { stepNumber }),
    };
    const { templateId, position } = await addTemplate(command, { ...params, ...template });
    return afterWrite(deps, { position, made: madeTemplate(templateId) }, (readModels) =>
      templateAnswer({ ...deps, readModels }, templateId),
    );
  },
});

export const getTemplate = route({
  method: 'GET',
  path: '/admin/email-sequences/templates/{templateId}',
  access: 'admin',
  summary: 'Get a template of an email sequence',
  params: TemplateParams,
  response: SequenceTemplateResponse,
  refusals: ['TEMPLATE_NOT_FOUND'],
  handler: async ({ deps, params }) => templateAnswer(deps, params.templateId),
});

export const putTemplate = route({
  method: 'PUT',
  path: '/admin/email-sequences/templates/{templateId}',
  access: 'admin',
  summary: 'Change a template of an email sequence; emails not yet sent use the new version',
  params: TemplateParams,
  body: EditSequenceTemplateRequest,
  example: { subject: 'Hello {{user_name}}' },
  response: SequenceTemplateResponse,
  refusals: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_INVALID', 'TEMPLATE_CHANGED', 'STEP_TAKEN'],
  answerMayLag: true,
  handler: async ({ deps, command, params, body }) => {
    const { sequenceId, subject, content } = await knownTemplate(deps, params.templateId);
    requireSendable(deps, { subject: body.subject ?? subject, content: body.content ?? content });
    const { position } = await changeTemplate(command, { sequenceId, ...params, ...fieldsOf(body) });
    return afterWrite(deps, { position, made: madeTemplate(params.templateId) }, (readModels) =>
      templateAnswer({ ...deps, readModels }, params.templateId),
    );
  },
});

export const removeOneTemplate = route({
  method: 'DELETE',
  path: '/admin/email-sequences/templates/{templateId}',
  access: 'admin',
  summary: 'Delete a template of an email sequence; users waiting for it continue with the next step',
  params: TemplateParams,
  response: RemovedResponse,
  refusals: ['TEMPLATE_NOT_FOUND'],
  handler: async ({ deps, command, params }) => {
    const { sequenceId } = await knownTemplate(deps, params.templateId);
    const { position } = await removeTemplate(command, { sequenceId, ...params });
    const answer = { success: true as const, message: 'Template deleted' };
    return afterWrite(deps, { position, answer }, (shown) => getSequence(shown, sequenceId));
  },
});

export const previewTemplate = route({
  method: 'POST',
  path: '/admin/email-sequences/templates/preview',
  access: 'admin',
  summary: 'Preview a template for a sample user, or get what is wrong with it',
  body: PreviewTemplateRequest,
  example: { subject: 'Welcome', content: 'Hi {{user_name}}' },
  response: PreviewTemplateResponse,
  handler: async ({ deps: { sequenceTexts }, body }) => {
    const faults = [...sequenceTexts.faults(body)];
    return { success: true as const, faults, preview: faults.length > 0 ? null : sequenceTexts.preview(body) };
  },
});

export const testTemplate = route({
  method: 'POST',
  path: '/admin/email-sequences/templates/{templateId}/test',
  access: 'admin',
  limit: 'submit',
  summary: 'Send a template to your own address',
  params: TemplateParams,
  response: TestTemplateResponse,
  status: 202,
  refusals: ['TEMPLATE_NOT_FOUND', 'NO_MAIL', 'EMAIL_NOT_CONFIRMED'],
  handler: async ({ deps, caller, command, params }) => {
    const { sequenceId } = await knownTemplate(deps, params.templateId);
    const account = await accountOf(deps, caller.userId);
    if (!account) throw unauthenticated();
    if (!deps.config.mail) throw new HttpError('NO_MAIL', 'This installation sends no email. Set SMTP_URL first.');
    if (account.emailProof !== 'confirmed')
      throw new HttpError('EMAIL_NOT_CONFIRMED', 'Confirm your own email address first.');
    await requestTestMail(command, { sequenceId, ...params, userId: caller.userId });
    return { success: true as const, sent_to: account.email };
  },
});
