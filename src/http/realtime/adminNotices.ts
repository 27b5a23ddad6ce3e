/**
 * Notifies admins that the figures of their pages may have changed: at once, then at most once per interval, whatever
 * happens in between.
 */
import type { AdminFigure } from '../../model/adminLists.ts';
import type { JobIndexDocument } from '../../projections/jobIndex.ts';
import type { Change, Position } from '../../readModels/readModels.ts';
import { noticeRow, type Row } from './topics.ts';

const EVERY_MS = 1_000;

type Noticed = Pick<Change, 'model' | 'id' | 'kind' | 'data' | 'old'>;

export type AdminNotices = {
  take(change: Noticed & Pick<Change, 'position'>): void;
  /** Drops what has not been sent. */
  close(): void;
};

export function createAdminNotices(send: (row: Row) => void, everyMs = EVERY_MS): AdminNotices {
  const changed = new Set<AdminFigure>();
  let newest: Position = '';
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    timer = null;
    if (changed.size === 0) return;
    send(noticeRow([...changed], newest));
    changed.clear();
    timer = setTimeout(flush, everyMs);
    timer.unref();
  }

  return {
    take: (change) => {
      const figure = figureOf(change);
      if (figure === null) return;
      changed.add(figure);
      if (change.position > newest) newest = change.position;
      if (timer === null) flush();
    },
    close: () => {
      if (timer) clearTimeout(timer);
      timer = null;
      changed.clear();
    },
  };
}

/** Null if the change affects no figure. */
function figureOf({ model, id, kind, data, old }: Noticed): AdminFigure | null {
  if (model === 'jobIndex') return isStart(data, old) ? null : 'jobs';
  if (model === 'prompts') return 'prompts';
  // Only their number is shown.
  if (model === 'accounts') return kind === 'UPDATE' ? null : 'users';
  return id.startsWith('mail/') || id.startsWith('sequenceMail/') ? 'mails' : null;
}

/** That a job has started changes no figure. Its earlier state may be unknown. */
function isStart(data: Change['data'], old: Change['old']): boolean {
  const [before, after] = [old, data] as readonly (Partial<JobIndexDocument> | null)[];
  return before?.state === 'waiting' && after?.state === 'running';
}
