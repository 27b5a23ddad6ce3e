/** How the payment provider's events are stored. */
import { PROVIDER_EVENT_EVENTS } from '../providerEvent/events.ts';
import { stored } from './storedType.ts';

export const PROVIDER_EVENT_TYPES = stored(PROVIDER_EVENT_EVENTS, ['eventId'], {
  ProviderEventApplied: { ids: ['eventId', 'userId'] },
});
