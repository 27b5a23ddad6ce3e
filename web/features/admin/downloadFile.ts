import { fetchFile } from '../../api/fetchFile.ts';
import { saveFile } from '../../ui/saveFile.ts';

/** Downloads an answer that is a file. False: the download failed. The rest is as of `fetchFile`. */
export async function downloadFile(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  name: string,
  onEnded: () => void,
): Promise<boolean> {
  const content = await fetchFile(path, query, onEnded);
  if (content) saveFile(name, content);
  return content !== null;
}
