/** How events of API keys are stored. */
import { API_KEY_USE_EVENTS, API_KEYS_EVENTS } from '../apiKeys/events.ts';
import { stored } from './storedType.ts';

export const API_KEYS_TYPES = stored(API_KEYS_EVENTS, ['keyId', 'userId'], {
  ApiKeyCreated: { secret: ['keyHash'] },
  ApiKeysClosed: { ids: ['userId'] },
});

export const API_KEY_USE_TYPES = stored(API_KEY_USE_EVENTS, ['keyId']);
