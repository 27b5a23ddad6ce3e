/**
 * Downloads all matching events as a file. Not through the API client, which reads only JSON, as the file may be long.
 */
import { renewSession } from '../../../api/renewal.ts';
import { accessToken } from '../../../api/tokens.ts';
import { saveFile } from '../../../ui/saveFile.ts';
import { type HistoryRequest, historyPath } from './historyApi.ts';

/** False: the download failed. `onEnded`: called when it failed because the session ended. */
export async function downloadHistory(
  { stream, types, actor, from, to }: HistoryRequest,
  format: 'json' | 'csv',
  onEnded: () => void,
): Promise<boolean> {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries({ types, actor, from, to })) if (value) query.set(name, value);
  try {
    const ask = (token: string | null): Promise<Response> =>
      fetch(`${location.origin}${historyPath(stream, '/export')}?${query}`, {
        headers: { Authorization: `Bearer ${token ?? ''}` },
      });
    const token = accessToken();
    const first = await ask(token);
    const renewal = first.status === 401 ? await renewSession(token) : null;
    if (renewal === 'ended') onEnded();
    const response = renewal === 'renewed' ? await ask(accessToken()) : first;
    if (!response.ok) return false;
    saveFile(`history-${stream}.${format}`, await response.text());
    return true;
  } catch {
    return false;
  }
}
