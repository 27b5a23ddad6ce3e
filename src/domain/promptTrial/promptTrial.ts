/** A prompt tried on a finished audit: requested, started, then answered or given up, and forgotten. One at a time. */
import type { PromptKey } from '../../model/prompts/prompt.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { PromptAnswer, PromptTrialEvent } from './events.ts';

type Facts = {
  readonly jobId: string;
  readonly ask: number;
  readonly adminId: string;
  /** Attempts started, across all asks. */
  readonly attempt: number;
};

export type PromptTrialState =
  | { readonly status: 'none' }
  | (Facts & { readonly status: 'open'; readonly key: PromptKey; readonly content: string })
  | (Facts & { readonly status: 'ended' | 'forgotten' });

/** `at` is the time of the command, UTC ISO. */
export type PromptTrialCommand =
  | {
      readonly type: 'RequestPromptTrial';
      readonly jobId: string;
      readonly adminId: string;
      readonly key: PromptKey;
      readonly content: string;
      readonly at: string;
    }
  | { readonly type: 'StartPromptTrial'; readonly at: string }
  /** The answer of a superseded attempt is discarded. */
  | { readonly type: 'AnswerPromptTrial'; readonly attempt: number; readonly answer: PromptAnswer; readonly at: string }
  /** Without `attempt`: applies to the current attempt. */
  | {
      readonly type: 'GiveUpPromptTrial';
      readonly code: string;
      readonly reason: string;
      readonly attempt?: number;
      readonly at: string;
    }
  /** With `ask`: only if it is the latest and has ended. Without: any, because the audit is gone. */
  | { readonly type: 'ForgetPromptTrial'; readonly ask?: number; readonly at: string };

function evolve(state: PromptTrialState, event: PromptTrialEvent): PromptTrialState {
  const { jobId, ask, adminId } = event.data;
  const facts = { jobId, ask, adminId, attempt: state.status === 'none' ? 0 : state.attempt };
  switch (event.type) {
    case 'PromptTrialAsked':
      return { ...facts, status: 'open', key: event.data.key, content: event.data.content };
    case 'PromptTrialStarted':
      return state.status === 'none' ? state : { ...state, attempt: event.data.attempt };
    case 'PromptTrialAnswered':
    case 'PromptTrialGivenUp':
      return { ...facts, status: 'ended' };
    case 'PromptTrialForgotten':
      return { ...facts, status: 'forgotten' };
    default:
      event satisfies never;
      return state;
  }
}

function decide(command: PromptTrialCommand, state: PromptTrialState): readonly PromptTrialEvent[] {
  if (command.type === 'RequestPromptTrial') return ask(command, state);
  if (state.status === 'none' || state.status === 'forgotten') return [];
  const { jobId, ask: last, adminId } = state;
  const facts = { jobId, ask: last, adminId };
  if (command.type === 'ForgetPromptTrial') {
    const isOther = command.ask !== undefined && (command.ask !== last || state.status === 'open');
    return isOther ? [] : [{ type: 'PromptTrialForgotten', data: { ...facts, forgottenAt: command.at } }];
  }
  if (state.status !== 'open') return [];
  switch (command.type) {
    case 'StartPromptTrial':
      return [{ type: 'PromptTrialStarted', data: { ...facts, attempt: state.attempt + 1, startedAt: command.at } }];
    case 'AnswerPromptTrial':
      if (command.attempt !== state.attempt) return [];
      return [
        {
          type: 'PromptTrialAnswered',
          data: { ...facts, attempt: command.attempt, answer: command.answer, answeredAt: command.at },
        },
      ];
    case 'GiveUpPromptTrial':
      if (command.attempt !== undefined && command.attempt !== state.attempt) return [];
      return [
        {
          type: 'PromptTrialGivenUp',
          data: { ...facts, code: command.code, reason: command.reason, givenUpAt: command.at },
        },
      ];
    default:
      return unreachable(command);
  }
}

export const promptTrialDecider: Decider<PromptTrialState, PromptTrialCommand, PromptTrialEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve,
  decide,
};

/** Asking the same question again while it is pending joins the same trial. */
function ask(
  { jobId, adminId, key, content, at }: Extract<PromptTrialCommand, { readonly type: 'RequestPromptTrial' }>,
  state: PromptTrialState,
) {
  if (state.status === 'open') {
    if (state.adminId === adminId && state.key === key && state.content === content) return [];
    throw new DomainError(
      'PROMPT_TRIAL_PENDING',
      'The model is being asked about this job already. Please wait for its answer.',
    );
  }
  const asked = { jobId, ask: state.status === 'none' ? 1 : state.ask + 1, adminId, key, content, askedAt: at };
  return [{ type: 'PromptTrialAsked', data: asked } as const];
}
