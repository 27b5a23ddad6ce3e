import { type ApiAnswer, type ApiCall, callApi } from './call.ts';
import { NETWORK_FAILURE, NO_TOKEN_FAILURE } from './failure.ts';
import { renewSession } from './renewal.ts';
import { accessToken, clearTokens } from './tokens.ts';

/**
 * A call in the name of whoever is signed in. A 401 is dealt with here and nowhere else: renew once and repeat, or say that the session is
 * over.
 */
export async function authorizedCall(call: ApiCall, onEnded: () => void, signal?: AbortSignal): Promise<ApiAnswer> {
  const token = accessToken();
  if (!token) return { failure: NO_TOKEN_FAILURE };
  const answer = await callApi(call, token, signal);
  if (answer.failure?.status !== 401) return answer;
  const renewal = await renewSession(token);
  if (renewal === 'unreachable') return { failure: NETWORK_FAILURE };
  if (renewal === 'renewed') {
    const second = await callApi(call, accessToken(), signal);
    if (second.failure?.status !== 401) return second;
  }
  clearTokens();
  onEnded();
  return answer;
}
