/** Personal API keys, for the owner's own programs. Managed only with a session, never with a key. */
import * as z from 'zod';
import { createApiKey } from '../../commands/apiKeys/createApiKey.ts';
import { revokeApiKey } from '../../commands/apiKeys/revokeApiKey.ts';
import { MAX_API_KEYS } from '../../domain/apiKeys/apiKeys.ts';
import { isAnalystScope } from '../../model/programs.ts';
import { getApiKey, listApiKeys, newApiKey } from '../../projections/apiKeys.ts';
import { requireAdmin } from '../auth/adminRight.ts';
import { keepIfOpen } from '../auth/keepIfOpen.ts';
import { requireFeature } from '../auth/planFeature.ts';
import { mayAsOwner } from '../auth/policy.ts';
import {
  ApiKeysResponse,
  CreateApiKeyRequest,
  CreateApiKeyResponse,
  RevokeApiKeyResponse,
} from '../contract/apiKeys.ts';
import { presentApiKey, presentToolUse } from '../present/apiKey.ts';
import { API } from '../request/apiPrefix.ts';
import { alreadyShown, HttpError } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { route } from '../routing/route.ts';
import { toolUsesOf } from '../usage/toolUses.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export const getApiKeys = route({
  method: 'GET',
  path: '/api-keys',
  access: 'user',
  sessionOnly: true,
  summary: 'List your API keys, newest first; a key itself is shown only when it is created',
  response: ApiKeysResponse,
  handler: async ({ deps, caller }) => ({
    success: true as const,
    data: await Promise.all(
      (await listApiKeys(deps.readModels, caller.userId)).map(async (key) => ({
        ...presentApiKey(key),
        assistant_calls: (await toolUsesOf(deps.presence, key.id)).map(presentToolUse),
      })),
    ),
    limit: MAX_API_KEYS,
  }),
});

const onlyShownBefore = (keyId: string): string =>
  `This API key has been created, and a key is shown only once. Revoke it (DELETE ${API}/api-keys/${keyId}) and create another.`;

export const postApiKey = route({
  method: 'POST',
  path: '/api-keys',
  access: 'user',
  sessionOnly: true,
  shownOnce: ({ data }) => onlyShownBefore(data.id),
  summary: 'Create an API key; it is shown only in this response',
  body: CreateApiKeyRequest,
  example: { name: 'A program', scope: 'read' },
  response: CreateApiKeyResponse,
  status: 201,
  refusals: [
    'TOO_MANY_API_KEYS',
    'FEATURE_ACCESS_DENIED',
    'FORBIDDEN',
    'MFA_REQUIRED',
    'ADMIN_SESSION_EXPIRED',
    'SESSION_ENDED',
  ],
  handler: async (request) => {
    const { deps, caller, body, command, noteSecurity } = request;
    await requireFeature(deps, caller.userId, 'api_access');
    if (isAnalystScope(body.scope)) await requireAdmin(deps, caller);
    const { expires_in_days: days } = body;
    const now = deps.now();
    const expiresAt = days ? new Date(Date.parse(now) + days * DAY_MS).toISOString() : null;
    const { userId } = caller;
    const { keyId, made, position } = await createApiKey(command, {
      userId,
      name: body.name,
      scope: body.scope,
      expiresAt,
      newToken: deps.newToken,
    });
    if (!made) throw alreadyShown(onlyShownBefore(keyId));
    await keepIfOpen(request, () => revokeApiKey(command, { userId, keyId }));
    noteSecurity('api_key_created', { userId, keyId });
    const answer = { success: true as const, key: made.key, data: presentApiKey(newApiKey(made.created)) };
    return afterWrite(deps, { position, answer }, (shown) => getApiKey(shown, keyId));
  },
});

export const deleteApiKey = route({
  method: 'DELETE',
  path: '/api-keys/{keyId}',
  access: 'user',
  sessionOnly: true,
  summary: 'Revoke an API key; it stops working at once',
  params: z.object({ keyId: z.string().min(1).max(64) }),
  response: RevokeApiKeyResponse,
  refusals: ['API_KEY_NOT_FOUND'],
  answerMayLag: true,
  handler: async ({ deps, caller, params, command, noteSecurity }) => {
    const known = await getApiKey(deps.readModels, params.keyId);
    if (known && !mayAsOwner(caller, 'remove', { kind: 'apiKey', ownerId: known.data.userId })) {
      throw new HttpError('API_KEY_NOT_FOUND', 'There is no such API key.', { details: { anothers: true } });
    }
    const { position } = await revokeApiKey(command, { userId: caller.userId, keyId: params.keyId });
    noteSecurity('api_key_revoked', { userId: caller.userId, keyId: params.keyId });
    // Until the read models know, the key still works.
    return afterWrite(
      deps,
      { position, made: { ids: { keyId: params.keyId }, location: '/api-keys' } },
      async (shown) => {
        await getApiKey(shown, params.keyId);
        return { success: true as const, message: 'API key revoked' };
      },
    );
  },
});
