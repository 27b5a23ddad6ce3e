import { downloadFile } from '../downloadFile.ts';
import { type HistoryRequest, historyPath } from './historyApi.ts';

/** Downloads all matching events as a file. False: the download failed. */
export const downloadHistory = (
  { stream, types, actor, from, to }: HistoryRequest,
  format: 'json' | 'csv',
  onEnded: () => void,
): Promise<boolean> =>
  downloadFile(
    historyPath(stream, '/export'),
    { format, types, actor, from, to },
    `history-${stream}.${format}`,
    onEnded,
  );
