/** Redoing one part of a finished audit: requested, attempted, then done or given up. One at a time. */
import { type Decider, unreachable } from '../decider.ts';
import type { ModelUse } from '../modelUse.ts';
import type { ReworkEvent } from './events.ts';

export type ReworkSubject =
  | { readonly what: 'plan' }
  | { readonly what: 'summary' }
  | { readonly what: 'verification'; readonly actionId: string };

type Facts = {
  readonly reworkId: string;
  readonly ask: number;
  readonly jobId: string;
  readonly userId: string;
  readonly subject: ReworkSubject;
  /** Attempts started, across all asks. */
  readonly attempt: number;
};

export type ReworkState = { readonly status: 'none' } | ({ readonly status: 'open' | 'ended' } & Facts);

/** `at` is the time of the command, UTC ISO. */
export type ReworkCommand =
  | {
      readonly type: 'RequestRework';
      readonly reworkId: string;
      readonly jobId: string;
      readonly userId: string;
      readonly subject: ReworkSubject;
      readonly at: string;
    }
  | { readonly type: 'StartRework'; readonly at: string }
  /**
   * The result of a superseded attempt is discarded. `asked`, here and below: usage of the language model; absent if
   * none was called.
   */
  | {
      readonly type: 'FinishRework';
      readonly attempt: number;
      readonly by: string | null;
      readonly prompt?: string;
      readonly asked?: ModelUse;
      readonly at: string;
    }
  /** Without `attempt`: applies to the current attempt. */
  | {
      readonly type: 'GiveUpRework';
      readonly code: string;
      readonly reason: string;
      readonly attempt?: number;
      readonly asked?: ModelUse;
      readonly at: string;
    };

function evolve(state: ReworkState, event: ReworkEvent): ReworkState {
  switch (event.type) {
    case 'PlanRegenerationAsked':
      return asked(state, event.data, { what: 'plan' });
    case 'SummaryAsked':
      return asked(state, event.data, { what: 'summary' });
    case 'VerificationAsked':
      return asked(state, event.data, { what: 'verification', actionId: event.data.actionId });
    case 'ReworkStarted':
      return state.status === 'none' ? state : { ...state, attempt: event.data.attempt };
    case 'ReworkModelAsked':
      return state;
    case 'ReworkDone':
    case 'ReworkGivenUp':
      return state.status === 'none' ? state : { ...state, status: 'ended' };
    default:
      event satisfies never;
      return state;
  }
}

function asked(
  state: ReworkState,
  { reworkId, ask, jobId, userId }: Omit<Facts, 'subject' | 'attempt'>,
  subject: ReworkSubject,
): ReworkState {
  return {
    status: 'open',
    reworkId,
    ask,
    jobId,
    userId,
    subject,
    attempt: state.status === 'none' ? 0 : state.attempt,
  };
}

function decide(command: ReworkCommand, state: ReworkState): readonly ReworkEvent[] {
  if (command.type === 'RequestRework') return state.status === 'open' ? [] : [opening(command, state)];
  if (state.status !== 'open') return [];
  const { reworkId, ask, jobId, userId } = state;
  const facts = { reworkId, ask, jobId, userId };
  const { attempt } = state;
  switch (command.type) {
    case 'StartRework':
      return [{ type: 'ReworkStarted', data: { ...facts, attempt: attempt + 1, startedAt: command.at } }];
    case 'FinishRework':
      if (command.attempt !== attempt) return [];
      return [
        ...askedModel(command, state),
        { type: 'ReworkDone', data: { ...facts, attempt, by: command.by, ...promptOf(command), doneAt: command.at } },
      ];
    case 'GiveUpRework':
      if (command.attempt !== undefined && command.attempt !== attempt) return [];
      return [
        ...askedModel(command, state),
        {
          type: 'ReworkGivenUp',
          data: { ...facts, code: command.code, reason: command.reason, givenUpAt: command.at },
        },
      ];
    default:
      return unreachable(command);
  }
}

/** Comes before the end of the attempt, in the same append. */
function askedModel(
  { asked, at }: { readonly asked?: ModelUse; readonly at: string },
  { reworkId, ask, jobId, userId, attempt }: Facts,
): readonly ReworkEvent[] {
  return asked === undefined
    ? []
    : [{ type: 'ReworkModelAsked', data: { reworkId, ask, jobId, userId, attempt, ...asked, recordedAt: at } }];
}

const promptOf = ({ prompt }: { readonly prompt?: string }): { readonly prompt?: string } =>
  prompt === undefined ? {} : { prompt };

function opening(
  { reworkId, jobId, userId, subject, at }: Extract<ReworkCommand, { readonly type: 'RequestRework' }>,
  state: ReworkState,
): ReworkEvent {
  const data = { reworkId, ask: state.status === 'none' ? 1 : state.ask + 1, jobId, userId, askedAt: at };
  switch (subject.what) {
    case 'plan':
      return { type: 'PlanRegenerationAsked', data };
    case 'summary':
      return { type: 'SummaryAsked', data };
    case 'verification':
      return { type: 'VerificationAsked', data: { ...data, actionId: subject.actionId } };
    default:
      return unreachable(subject);
  }
}

export const reworkDecider: Decider<ReworkState, ReworkCommand, ReworkEvent> = {
  initialState: () => ({ status: 'none' }),
  evolve,
  decide,
  keptFrom: 100,
};
