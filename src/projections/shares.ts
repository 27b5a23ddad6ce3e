/** The links to each audit: by audit, which their tokens name, and by creator. */
import type { JobDeletionsEvent, JobEvent } from '../domain/job/events.ts';
import type { ShareEvent, ShareVisitEvent } from '../domain/share/events.ts';
import type { Share } from '../domain/share/share.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Documents, Page, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { JobDocument } from './jobs.ts';
import type { Projection } from './projection.ts';

export type ShareEntry = Omit<Share, 'userId'> & {
  readonly views: number;
  readonly previewViews: number;
  readonly signUpClicks: number;
  readonly signUps: number;
};

export type SharesDocument = { readonly jobId: string; readonly userId: string; readonly shares: readonly ShareEntry[] };

type SharesEvent = ShareEvent | ShareVisitEvent | JobDeletionsEvent | Extract<JobEvent, { readonly type: 'JobUnlocked' | 'JobDeleted' }>;

export const shares: Projection<SharesDocument, SharesEvent> = {
  name: 'shares',
  version: 2,
  indexes: [['userId']],
  handles: [
    'ShareCreated',
    'ShareRevoked',
    'ShareViewed',
    'SharePreviewViewed',
    'ShareSignUpClicked',
    'ShareSignedUp',
    'JobUnlocked',
    'JobDeleted',
    'JobsDeleted',
  ],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  evolve(document, event) {
    if (event.type === 'ShareCreated') {
      const { jobId, userId, ...share } = event.data;
      const entry = { ...share, revokedAt: null, views: 0, previewViews: 0, signUpClicks: 0, signUps: 0 };
      return { jobId, userId, shares: [...(document?.shares ?? []), entry] };
    }
    return document && evolveShares(document, event);
  },
};

function evolveShares(document: SharesDocument, event: Exclude<Recorded<SharesEvent>, { readonly type: 'ShareCreated' }>): SharesDocument | null {
  switch (event.type) {
    case 'ShareRevoked':
      return changed(document, event.data.shareId, () => ({ revokedAt: event.data.revokedAt }));
    case 'ShareViewed':
      return changed(document, event.data.shareId, ({ views }) => ({ views: views + event.data.count }));
    case 'SharePreviewViewed':
      return changed(document, event.data.shareId, ({ previewViews }) => ({ previewViews: previewViews + event.data.count }));
    case 'ShareSignUpClicked':
      return changed(document, event.data.shareId, ({ signUpClicks }) => ({ signUpClicks: signUpClicks + event.data.count }));
    case 'ShareSignedUp':
      return changed(document, event.data.shareId, ({ signUps }) => ({ signUps: signUps + event.data.count }));
    // A preview was the only option before the unlock, so nobody chose it; links created later have the mode their owner picked.
    case 'JobUnlocked':
      return { ...document, shares: document.shares.map((share) => ({ ...share, mode: 'full' })) };
    case 'JobDeleted':
    case 'JobsDeleted':
      return null;
    default:
      event satisfies never;
      return document;
  }
}

function changed(document: SharesDocument, shareId: string, change: (share: ShareEntry) => Partial<ShareEntry>): SharesDocument {
  return { ...document, shares: document.shares.map((share) => (share.shareId === shareId ? { ...share, ...change(share) } : share)) };
}

export function getShares(readModels: Documents, jobId: string): Promise<StoredDocument<SharesDocument> | null> {
  return readModels.get('shares', jobId);
}

const PAGE = 500;

/**
 * Everything a user shares, in no guaranteed order. A link created at the moment its audit was deleted may have left a document behind; it grants no
 * access, and is not listed.
 */
export async function listShares(readModels: ReadModels, userId: string): Promise<readonly SharesDocument[]> {
  const found: SharesDocument[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page<SharesDocument> = await readModels.find<SharesDocument>('shares', {
      where: { userId },
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const ids = page.documents.map(({ data }) => data.jobId);
    const there = new Set((await readModels.getMany<JobDocument>('jobs', ids)).map(({ id }) => id));
    found.push(...page.documents.map(({ data }) => data).filter(({ jobId }) => there.has(jobId)));
    cursor = page.cursor;
    if (cursor === null) return found;
  }
}
