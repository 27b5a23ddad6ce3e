/**
 * How events of account exports are stored. A file's content is everything about its owner, so it is shown to nobody
 * else.
 */
import { ACCOUNT_EXPORT_EVENTS, EXPORT_FILE_EVENTS } from '../accountExport/events.ts';
import { stored } from './storedType.ts';

export const ACCOUNT_EXPORT_TYPES = stored(ACCOUNT_EXPORT_EVENTS, ['userId', 'fileId']);

export const EXPORT_FILE_TYPES = stored(EXPORT_FILE_EVENTS, ['userId', 'fileId'], {
  AccountExportPartWritten: { secret: ['text'] },
});
