import { providerEventStream } from '../../domain/providerEvent/events.ts';
import { providerEventDecider } from '../../domain/providerEvent/providerEvent.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { ProviderEvent } from '../../integrations/payments/payments.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

/** `unused`: of a type that is not handled. */
export type Receipt =
  | { readonly outcome: 'stored' | 'duplicate'; readonly position: Position }
  | { readonly outcome: 'unused' };

/**
 * Stores a provider event for later processing, once, whatever its source. Its subject is fetched from the provider
 * then.
 */
export async function receiveProviderEvent(
  ctx: CommandContext,
  event: ProviderEvent,
  source: 'webhook' | 'sweep',
): Promise<Receipt> {
  const { eventId, type: eventType, createdAt, isLive, account, objectId, amount, currency, subject } = event;
  if (subject === null) return { outcome: 'unused' };
  const received = { eventId, eventType, createdAt, isLive, account, objectId, amount, currency, subject, source };
  const command = { type: 'ReceiveProviderEvent', event: received, at: ctx.now() } as const;
  const { events, position } = await handle(ctx, providerEventDecider, providerEventStream(eventId), command);
  return { outcome: events.length > 0 ? 'stored' : 'duplicate', position };
}
