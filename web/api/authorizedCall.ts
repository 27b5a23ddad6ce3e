import { type ApiAnswer, type ApiCall, callApi } from './call.ts';
import { NETWORK_FAILURE, NO_TOKEN_FAILURE } from './failure.ts';
import { untilShown } from './notShownYet.ts';
import { renewSession } from './renewal.ts';
import { accessToken, clearTokens } from './tokens.ts';

/** When only admin access has timed out, the session goes on. */
const isRefused = ({ failure }: ApiAnswer): boolean =>
  failure?.status === 401 && failure.code !== 'ADMIN_SESSION_EXPIRED';

/**
 * A call authenticated as the current user. The only place that handles a 401: renews the tokens once and retries, or
 * reports that the session has ended. Only a refused renewal ends it: if a call is refused with renewed tokens as well,
 * that is the call's own failure. Repeated as it is while its answer is not shown yet.
 */
export const authorizedCall = (call: ApiCall, onEnded: () => void, signal?: AbortSignal): Promise<ApiAnswer> =>
  untilShown(() => attempt(call, onEnded, signal), signal);

async function attempt(call: ApiCall, onEnded: () => void, signal?: AbortSignal): Promise<ApiAnswer> {
  const token = accessToken();
  if (!token) return { failure: NO_TOKEN_FAILURE };
  const answer = await callApi(call, token, signal);
  if (!isRefused(answer)) return answer;
  const renewal = await renewSession(token);
  if (renewal === 'unreachable') return { failure: NETWORK_FAILURE };
  if (renewal === 'renewed') return callApi(call, accessToken(), signal);
  clearTokens();
  onEnded();
  return answer;
}
