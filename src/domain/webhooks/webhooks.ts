/** The webhook endpoints of one account. */
import type { WebhookEvent } from '../../model/programs.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { WebhookSecretEvent, WebhooksEvent } from './events.ts';

export type Endpoint = {
  readonly endpointId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly active: boolean;
  readonly addedAt: string;
  /** The first failed attempt since a success or since the owner enabled it; null if none has failed since. */
  readonly failingSince: string | null;
  /** When `failingSince` last changed. */
  readonly turnedAt: string;
};

export type WebhooksState = {
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** All endpoints, including removed ones. */
  readonly known: readonly string[];
  readonly closed: boolean;
};

/** `at` is the time of the command, UTC ISO. */
export type WebhooksCommand =
  | {
      readonly type: 'AddWebhook';
      readonly endpointId: string;
      readonly userId: string;
      readonly url: string;
      readonly events: readonly WebhookEvent[];
      readonly at: string;
    }
  | { readonly type: 'EnableWebhook'; readonly endpointId: string; readonly userId: string; readonly at: string }
  | {
      readonly type: 'DisableWebhook';
      readonly endpointId: string;
      readonly userId: string;
      readonly reason: 'owner' | 'failing';
      readonly at: string;
    }
  /** Outcome of an attempt. */
  | {
      readonly type: 'NoteTry';
      readonly endpointId: string;
      readonly userId: string;
      readonly ok: boolean;
      readonly triedAt: string;
    }
  | { readonly type: 'RemoveWebhook'; readonly endpointId: string; readonly userId: string; readonly at: string }
  | { readonly type: 'CloseWebhooks'; readonly userId: string; readonly at: string };

type Command<Type extends WebhooksCommand['type']> = Extract<WebhooksCommand, { readonly type: Type }>;

export const MAX_WEBHOOKS = 10;

function evolve(state: WebhooksState, event: WebhooksEvent): WebhooksState {
  switch (event.type) {
    case 'WebhookAdded': {
      const { endpointId, url, events, addedAt } = event.data;
      const endpoint = { endpointId, url, events, addedAt, active: true, failingSince: null, turnedAt: addedAt };
      return {
        ...state,
        endpoints: { ...state.endpoints, [endpointId]: endpoint },
        known: [...state.known, endpointId],
      };
    }
    case 'WebhookEnabled':
      return changed(state, event.data.endpointId, {
        active: true,
        failingSince: null,
        turnedAt: event.data.enabledAt,
      });
    case 'WebhookDisabled':
      return changed(state, event.data.endpointId, { active: false });
    case 'WebhookFailing': {
      const { endpointId, failingSince } = event.data;
      return changed(state, endpointId, { failingSince, turnedAt: failingSince });
    }
    case 'WebhookRecovered':
      return changed(state, event.data.endpointId, { failingSince: null, turnedAt: event.data.recoveredAt });
    case 'WebhookRemoved': {
      const { [event.data.endpointId]: _, ...endpoints } = state.endpoints;
      return { ...state, endpoints };
    }
    case 'WebhooksClosed':
      return { endpoints: {}, known: event.data.endpointIds, closed: true };
    default:
      event satisfies never;
      return state;
  }
}

function changed(state: WebhooksState, endpointId: string, change: Partial<Endpoint>): WebhooksState {
  const endpoint = state.endpoints[endpointId];
  return endpoint ? { ...state, endpoints: { ...state.endpoints, [endpointId]: { ...endpoint, ...change } } } : state;
}

function decide(command: WebhooksCommand, state: WebhooksState): readonly WebhooksEvent[] {
  switch (command.type) {
    case 'AddWebhook':
      return add(command, state);
    case 'EnableWebhook': {
      const { endpointId, userId, at } = command;
      return endpointOf(state, endpointId).active
        ? []
        : [{ type: 'WebhookEnabled', data: { endpointId, userId, enabledAt: at } }];
    }
    case 'DisableWebhook': {
      const { endpointId, userId, reason, at } = command;
      return endpointOf(state, endpointId).active
        ? [{ type: 'WebhookDisabled', data: { endpointId, userId, reason, disabledAt: at } }]
        : [];
    }
    case 'NoteTry':
      return noteTry(command, state);
    case 'RemoveWebhook':
      return remove(command, state);
    case 'CloseWebhooks':
      return state.closed
        ? []
        : [
            {
              type: 'WebhooksClosed',
              data: { userId: command.userId, endpointIds: state.known, closedAt: command.at },
            },
          ];
    default:
      return unreachable(command);
  }
}

export const webhooksDecider: Decider<WebhooksState, WebhooksCommand, WebhooksEvent> = {
  initialState: () => ({ endpoints: {}, known: [], closed: false }),
  evolve,
  decide,
  keptFrom: 100,
};

function add({ type: _, at, ...endpoint }: Command<'AddWebhook'>, state: WebhooksState): readonly WebhooksEvent[] {
  if (state.closed) throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  if (state.known.includes(endpoint.endpointId)) return [];
  if (Object.keys(state.endpoints).length >= MAX_WEBHOOKS) {
    throw new DomainError('TOO_MANY_WEBHOOKS', `An account has at most ${MAX_WEBHOOKS} webhooks. Remove one first.`);
  }
  return [{ type: 'WebhookAdded', data: { ...endpoint, addedAt: at } }];
}

/** Records each transition once. A late report of an attempt from before the last transition changes nothing. */
function noteTry(
  { endpointId, userId, ok, triedAt }: Command<'NoteTry'>,
  state: WebhooksState,
): readonly WebhooksEvent[] {
  const endpoint = state.endpoints[endpointId];
  const isFailing = endpoint?.failingSince !== null;
  if (!endpoint || triedAt < endpoint.turnedAt || ok !== isFailing) return [];
  return ok
    ? [{ type: 'WebhookRecovered', data: { endpointId, userId, recoveredAt: triedAt } }]
    : [{ type: 'WebhookFailing', data: { endpointId, userId, failingSince: triedAt } }];
}

/** Idempotent. */
function remove({ endpointId, userId, at }: Command<'RemoveWebhook'>, state: WebhooksState): readonly WebhooksEvent[] {
  if (!state.known.includes(endpointId)) throw webhookNotFound();
  return Object.hasOwn(state.endpoints, endpointId)
    ? [{ type: 'WebhookRemoved', data: { endpointId, userId, removedAt: at } }]
    : [];
}

/** @throws DomainError WEBHOOK_NOT_FOUND */
export function endpointOf(state: WebhooksState, endpointId: string): Endpoint {
  const endpoint = state.endpoints[endpointId];
  if (!endpoint) throw webhookNotFound();
  return endpoint;
}

export const webhookNotFound = (): DomainError => new DomainError('WEBHOOK_NOT_FOUND', 'There is no such webhook.');

export type SecretState = {
  readonly secret: string | null;
  /** The former secret, which remains valid until then. */
  readonly former: { readonly secret: string; readonly until: string } | null;
};

type SecretCommand =
  | { readonly type: 'SetWebhookSecret'; readonly endpointId: string; readonly secret: string }
  | {
      readonly type: 'RotateWebhookSecret';
      readonly endpointId: string;
      readonly secret: string;
      /** Null: the former secret is invalid immediately. */
      readonly formerUntil: string | null;
      readonly at: string;
    };

/** A secret is set once and rotated from then on. */
export const webhookSecretDecider: Decider<SecretState, SecretCommand, WebhookSecretEvent> = {
  keptFrom: 100,
  initialState: () => ({ secret: null, former: null }),
  evolve: (_state, { type, data }) => ({
    secret: data.secret,
    former: type === 'WebhookSecretRotated' ? data.former : null,
  }),
  decide(command, state) {
    const { endpointId, secret } = command;
    if (command.type === 'SetWebhookSecret')
      return state.secret === null ? [{ type: 'WebhookSecretSet', data: { endpointId, secret } }] : [];
    if (state.secret === null) throw webhookNotFound();
    const former = command.formerUntil === null ? null : { secret: state.secret, until: command.formerUntil };
    return [{ type: 'WebhookSecretRotated', data: { endpointId, secret, former, rotatedAt: command.at } }];
  },
};

/** The valid signing secrets at that time, newest first. */
export function signingSecrets({ secret, former }: SecretState, now: string): readonly string[] {
  return [...(secret === null ? [] : [secret]), ...(former && former.until > now ? [former.secret] : [])];
}
