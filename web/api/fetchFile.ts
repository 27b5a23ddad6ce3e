/** Fetches an answer that is a file. Not through the API client, which reads only JSON, as the file may be long. */
import { renewSession } from './renewal.ts';
import { accessToken } from './tokens.ts';

/**
 * Its bytes: as text, it would lose the mark by which a spreadsheet knows its encoding. Null: it failed. Empty values of
 * the query are left out. `onEnded`: called when it failed because the session ended.
 */
export async function fetchFile(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  onEnded: () => void,
): Promise<ArrayBuffer | null> {
  const given = new URLSearchParams(Object.entries(query).flatMap(([key, value]) => (value ? [[key, value]] : [])));
  try {
    const ask = (token: string | null): Promise<Response> =>
      fetch(`${location.origin}${path}?${given}`, { headers: { Authorization: `Bearer ${token ?? ''}` } });
    const token = accessToken();
    const first = await ask(token);
    const renewal = first.status === 401 ? await renewSession(token) : null;
    if (renewal === 'ended') onEnded();
    const response = renewal === 'renewed' ? await ask(accessToken()) : first;
    return response.ok ? await response.arrayBuffer() : null;
  } catch {
    return null;
  }
}
