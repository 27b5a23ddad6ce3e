/** All events that match, as a file. Not by the API's own door: that reads JSON alone, and this may be long. */
import { accessToken } from '../../../api/tokens.ts';
import { saveFile } from '../../../ui/saveFile.ts';
import { type AskedHistory, historyPath } from './historyApi.ts';

/** False: it could not be fetched. */
export async function downloadHistory({ stream, types, actor, from, to }: AskedHistory, format: 'json' | 'csv'): Promise<boolean> {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries({ types, actor, from, to })) if (value) query.set(name, value);
  try {
    const response = await fetch(`${location.origin}${historyPath(stream, '/export')}?${query}`, {
      headers: { Authorization: `Bearer ${accessToken() ?? ''}` },
    });
    if (!response.ok) return false;
    saveFile(`history-${stream}.${format}`, await response.text());
    return true;
  } catch {
    return false;
  }
}
