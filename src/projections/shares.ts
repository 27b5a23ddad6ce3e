/** The links to each audit: by audit, which their tokens name, and by creator. */
import type { Share } from '../domain/share/share.ts';
import type { Documents, Page, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { JobDocument } from './jobs.ts';
import { projection } from './projection.ts';

export type ShareEntry = Omit<Share, 'userId'> & {
  readonly views: number;
  readonly previewViews: number;
  readonly signUpClicks: number;
  readonly signUps: number;
};

export type SharesDocument = {
  readonly jobId: string;
  readonly userId: string;
  readonly shares: readonly ShareEntry[];
};

export const shares = projection<SharesDocument>()({
  name: 'shares',
  version: 2,
  indexes: [['userId']],
  keys: (event) => (event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId]),
  on: {
    ShareCreated: (document, { data: { jobId, userId, ...share } }) => {
      const entry = { ...share, revokedAt: null, views: 0, previewViews: 0, signUpClicks: 0, signUps: 0 };
      return { jobId, userId, shares: [...(document?.shares ?? []), entry] };
    },
    ShareRevoked: (document, { data }) => changed(document, data.shareId, () => ({ revokedAt: data.revokedAt })),
    ShareViewed: (document, { data }) =>
      changed(document, data.shareId, ({ views }) => ({ views: views + data.count })),
    SharePreviewViewed: (document, { data }) =>
      changed(document, data.shareId, ({ previewViews }) => ({ previewViews: previewViews + data.count })),
    ShareSignUpClicked: (document, { data }) =>
      changed(document, data.shareId, ({ signUpClicks }) => ({ signUpClicks: signUpClicks + data.count })),
    ShareSignedUp: (document, { data }) =>
      changed(document, data.shareId, ({ signUps }) => ({ signUps: signUps + data.count })),
    // A preview was the only option before the unlock, so nobody chose it; links created later have the mode their
    // owner picked.
    JobUnlocked: (document) =>
      document && { ...document, shares: document.shares.map((share) => ({ ...share, mode: 'full' })) },
    JobDeleted: () => null,
    JobsDeleted: () => null,
  },
});

function changed(
  document: SharesDocument | null,
  shareId: string,
  change: (share: ShareEntry) => Partial<ShareEntry>,
): SharesDocument | null {
  return (
    document && {
      ...document,
      shares: document.shares.map((share) => (share.shareId === shareId ? { ...share, ...change(share) } : share)),
    }
  );
}

export function getShares(readModels: Documents, jobId: string): Promise<StoredDocument<SharesDocument> | null> {
  return readModels.get('shares', jobId);
}

const PAGE = 500;

/**
 * Everything a user shares, in no guaranteed order. A link created at the moment its audit was deleted may have left a
 * document behind; it grants no access, and is not listed.
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
