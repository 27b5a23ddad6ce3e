/**
 * Adding, enabling, disabling and removing webhook endpoints. A secret lives and dies with its endpoint, in its own
 * stream.
 */

import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import type { DataOf } from '../../domain/stored/eventOf.ts';
import { webhookSecretStream, webhooksStream } from '../../domain/webhooks/events.ts';
import {
  endpointOf,
  signingSecrets,
  webhookNotFound,
  webhookSecretDecider,
  webhooksDecider,
} from '../../domain/webhooks/webhooks.ts';
import { type EventStore, type Position, START, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { WebhookEvent } from '../../model/programs.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { keepLastOnly } from '../keepLastOnly.ts';
import { eraseHistory } from '../mail/eraseHistory.ts';

export const SECRET_PREFIX = 'whsec_';

type Named = { readonly userId: string; readonly endpointId: string };

/** `made` is null if the command was carried out before: its secret has been shown, or the webhook is gone by now. */
export type AddedWebhook = {
  readonly endpointId: string;
  readonly made: { readonly secret: string; readonly added: DataOf<'WebhookAdded'> } | null;
  readonly position: Position;
};

/**
 * Writes the secret first: messages to an endpoint without one could not be signed, while a secret without an endpoint
 * (after a crash) signs nothing.
 * @throws DomainError TOO_MANY_WEBHOOKS, ACCOUNT_NOT_FOUND
 */
export async function addWebhook(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly url: string;
    readonly events: readonly WebhookEvent[];
    readonly newToken: () => string;
  },
): Promise<AddedWebhook> {
  const { userId, url, events } = input;
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const endpointId = derivedId(ctx.commandId, userId, 'webhook');
  const { state, position: start } = await loadState(ctx.store, webhooksDecider, webhooksStream(userId));
  const command = { type: 'AddWebhook', endpointId, userId, url, events, at: ctx.now() } as const;
  // Judged before anything is written: a secret that was removed again could not be set by a repeat.
  if (webhooksDecider.decide(command, state).length === 0) return { endpointId, made: null, position: start };
  const stream = webhookSecretStream(endpointId);
  // After a crash in between, the first attempt's secret is used: nobody has seen it.
  const { state: kept } = await handle(ctx, webhookSecretDecider, stream, {
    type: 'SetWebhookSecret',
    endpointId,
    secret: `${SECRET_PREFIX}${input.newToken()}`,
  });
  try {
    const { events: written, position } = await handle(ctx, webhooksDecider, webhooksStream(userId), command);
    const added = written.find((event) => event.type === 'WebhookAdded')?.data;
    return { endpointId, made: added && kept.secret !== null ? { secret: kept.secret, added } : null, position };
  } catch (error) {
    if (error instanceof DomainError) await ctx.store.delete(stream);
    throw error;
  }
}

/** @throws DomainError WEBHOOK_NOT_FOUND */
export async function switchWebhook(
  ctx: CommandContext,
  input: Named & ({ readonly on: true } | { readonly on: false; readonly reason: 'owner' | 'failing' }),
): Promise<{ readonly position: Position }> {
  const { userId, endpointId } = input;
  const at = ctx.now();
  const command = input.on
    ? ({ type: 'EnableWebhook', endpointId, userId, at } as const)
    : ({ type: 'DisableWebhook', endpointId, userId, reason: input.reason, at } as const);
  const { position } = await handle(ctx, webhooksDecider, webhooksStream(userId), command);
  return { position };
}

/**
 * Its deliveries are erased by callers that can list them (`forgetDelivery`), and by the removal follower.
 * @throws DomainError WEBHOOK_NOT_FOUND
 */
export async function removeWebhook(ctx: CommandContext, input: Named): Promise<{ readonly position: Position }> {
  const { position } = await handle(ctx, webhooksDecider, webhooksStream(input.userId), {
    type: 'RemoveWebhook',
    ...input,
    at: ctx.now(),
  });
  await ctx.store.delete(webhookSecretStream(input.endpointId));
  return { position };
}

/** Runs when the account is deleted. Safe to repeat. */
export async function closeWebhooks(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = webhooksStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  const { state, position } = await handle(ctx, webhooksDecider, stream, {
    type: 'CloseWebhooks',
    userId,
    at: ctx.now(),
  });
  await eraseHistory(ctx, { stream, userId });
  for (const endpointId of state.known) await ctx.store.delete(webhookSecretStream(endpointId));
  return position;
}

/**
 * How long the former secret remains valid, unless it is revoked immediately: receivers have that long to switch to the
 * new one.
 */
const FORMER_MS = 24 * 60 * 60 * 1_000;

/** `made` is null if the command was carried out before. @throws DomainError WEBHOOK_NOT_FOUND */
export async function rotateWebhookSecret(
  ctx: CommandContext,
  input: Named & { readonly keepFormer: boolean; readonly newToken: () => string },
): Promise<{ readonly made: { readonly secret: string; readonly formerUntil: string | null } | null }> {
  const { userId, endpointId } = input;
  const { state } = await loadState(ctx.store, webhooksDecider, webhooksStream(userId));
  endpointOf(state, endpointId);
  const secret = `${SECRET_PREFIX}${input.newToken()}`;
  const at = ctx.now();
  const formerUntil = input.keepFormer ? new Date(Date.parse(at) + FORMER_MS).toISOString() : null;
  const stream = webhookSecretStream(endpointId);
  const command = { type: 'RotateWebhookSecret', endpointId, secret, formerUntil, at } as const;
  const { events } = await handle(ctx, webhookSecretDecider, stream, command, {
    drawn: ['secret', 'formerUntil'],
  }).catch((error: unknown) => {
    throw error instanceof StreamDeleted ? webhookNotFound() : error;
  });
  await keepLastOnly(ctx.store, stream);
  return { made: events.length > 0 ? { secret, formerUntil } : null };
}

/** The currently valid signing secrets, newest first; none if the endpoint is gone. */
export async function webhookSecretsOf(store: EventStore, endpointId: string, now: string): Promise<readonly string[]> {
  return signingSecrets((await loadState(store, webhookSecretDecider, webhookSecretStream(endpointId))).state, now);
}
