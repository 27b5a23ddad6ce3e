import type {
  CreateSequenceRequest,
  CreateSequenceTemplateRequest,
  EditSequenceRequest,
  PreviewTemplateRequest,
  PreviewTemplateResponse,
  SequenceFiguresResponse,
  SequenceResponse,
  SequencesResponse,
  SequenceTemplateResponse,
  SequenceTemplateView,
  SequenceView,
  TestTemplateResponse,
} from '../../../../src/http/contract/admin/emailSequences.ts';
import { api } from '../../../api/api.ts';
import { newKey } from '../../../api/call.ts';

const BASE = '/api/v1/admin/email-sequences';
const sequencePath = (id: string): string => `${BASE}/sequences/${encodeURIComponent(id)}`;
const templatePath = (id: string): string => `${BASE}/templates/${encodeURIComponent(id)}`;

/** `once`: its Idempotency-Key. */
type Once = { readonly once: string };

const toSequence = ({ sequence }: SequenceResponse): SequenceView => sequence;
const toTemplate = ({ template }: SequenceTemplateResponse): SequenceTemplateView => template;

export const sequencesApi = api.enhanceEndpoints({ addTagTypes: ['SequenceList', 'Sequences'] }).injectEndpoints({
  endpoints: (build) => ({
    listSequences: build.query<SequencesResponse, { readonly cursor: string | null }>({
      query: ({ cursor }) => ({ path: `${BASE}/sequences`, query: cursor === null ? {} : { cursor } }),
      providesTags: ['SequenceList', 'Sequences'],
    }),
    getSequence: build.query<SequenceView, string>({
      query: (id) => ({ path: sequencePath(id) }),
      transformResponse: toSequence,
      providesTags: ['Sequences'],
    }),
    getSequenceFigures: build.query<SequenceFiguresResponse, string>({
      query: (id) => ({ path: `${sequencePath(id)}/figures` }),
      providesTags: ['Sequences'],
    }),
    createSequence: build.mutation<SequenceView, CreateSequenceRequest & Once>({
      query: ({ once, ...body }) => ({ path: `${BASE}/sequences`, method: 'POST', body, idempotencyKey: once }),
      transformResponse: toSequence,
      invalidatesTags: ['Sequences'],
    }),
    editSequence: build.mutation<SequenceView, EditSequenceRequest & { readonly id: string }>({
      query: ({ id, ...body }) => ({ path: sequencePath(id), method: 'PUT', body, idempotencyKey: newKey() }),
      transformResponse: toSequence,
      invalidatesTags: (_, error) => (error ? [] : ['Sequences']),
    }),
    deleteSequence: build.mutation<unknown, string>({
      query: (id) => ({ path: sequencePath(id), method: 'DELETE' }),
      // Not the open sequence, which no longer exists.
      invalidatesTags: (_, error) => (error ? [] : ['SequenceList']),
    }),
    getTemplate: build.query<SequenceTemplateView, string>({
      query: (id) => ({ path: templatePath(id) }),
      transformResponse: toTemplate,
      // It fills a form, so it must be current.
      keepUnusedDataFor: 0,
    }),
    createTemplate: build.mutation<
      SequenceTemplateView,
      CreateSequenceTemplateRequest & Once & { readonly sequenceId: string }
    >({
      query: ({ sequenceId, once, ...body }) => ({
        path: `${sequencePath(sequenceId)}/templates`,
        method: 'POST',
        body,
        idempotencyKey: once,
      }),
      transformResponse: toTemplate,
      invalidatesTags: (_, error) => (error ? [] : ['Sequences']),
    }),
    editTemplate: build.mutation<
      SequenceTemplateView,
      Omit<CreateSequenceTemplateRequest, 'step_number'> &
        Once & { readonly step_number: number; readonly version: number; readonly id: string }
    >({
      query: ({ id, once, ...body }) => ({ path: templatePath(id), method: 'PUT', body, idempotencyKey: once }),
      transformResponse: toTemplate,
      invalidatesTags: (_, error) => (error ? [] : ['Sequences']),
    }),
    deleteTemplate: build.mutation<unknown, string>({
      query: (id) => ({ path: templatePath(id), method: 'DELETE' }),
      invalidatesTags: (_, error) => (error ? [] : ['Sequences']),
    }),
    previewTemplate: build.query<PreviewTemplateResponse, PreviewTemplateRequest>({
      query: (body) => ({ path: `${BASE}/templates/preview`, method: 'POST', body }),
      keepUnusedDataFor: 0,
    }),
    testTemplate: build.mutation<TestTemplateResponse, string>({
      query: (id) => ({ path: `${templatePath(id)}/test`, method: 'POST' }),
    }),
  }),
});

export const {
  useListSequencesQuery,
  useGetSequenceQuery,
  useGetSequenceFiguresQuery,
  useCreateSequenceMutation,
  useEditSequenceMutation,
  useDeleteSequenceMutation,
  useGetTemplateQuery,
  useCreateTemplateMutation,
  useEditTemplateMutation,
  useDeleteTemplateMutation,
  usePreviewTemplateQuery,
  useTestTemplateMutation,
} = sequencesApi;
