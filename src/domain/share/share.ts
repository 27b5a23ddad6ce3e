/** The links to one audit, folded from their events. */
import { readableHost } from '../../model/readableAddress.ts';
import type { SharedPart } from '../../model/shares.ts';
import type { ShareEvent } from './events.ts';

export type Share = Omit<Extract<ShareEvent, { readonly type: 'ShareCreated' }>['data'], 'jobId'> & {
  readonly revokedAt: string | null;
};

export type SharesState = { readonly shares: Readonly<Record<string, Share>> };

/**
 * `random`: hex. A link's id begins with its audit's, so that it says which stream the link is in. Ids of links made
 * before do not.
 */
export const shareIdIn = (jobId: string, random: string): string => `${jobId}.${random}`;

/** Null for an id that does not say it. */
export const jobIdOfShare = (shareId: string): string | null => /^([^.]+)\.[0-9a-f]+$/.exec(shareId)?.[1] ?? null;

export const initialState = (): SharesState => ({ shares: {} });

export function evolve(state: SharesState, event: ShareEvent): SharesState {
  switch (event.type) {
    case 'ShareCreated': {
      const { jobId: _, ...share } = event.data;
      return { shares: { ...state.shares, [share.shareId]: { ...share, revokedAt: null } } };
    }
    case 'ShareRevoked': {
      const share = state.shares[event.data.shareId];
      return share
        ? { shares: { ...state.shares, [share.shareId]: { ...share, revokedAt: event.data.revokedAt } } }
        : state;
    }
    default:
      event satisfies never;
      return state;
  }
}

const titleOf = (host: string): string => `SEO analysis of ${host}`;

/** Title of a link created without one. It names the site only if the link may reveal it. */
export function defaultTitle(host: string, sharedContent: readonly SharedPart[]): string {
  return sharedContent.includes('job_metadata') ? titleOf(readableHost(host)) : 'SEO analysis';
}

/** The title shown to visitors. Older default titles may reveal more than was shared, or have the host in Punycode. */
export function titleForVisitors(
  { title, sharedContent }: Pick<Share, 'title' | 'sharedContent'>,
  host: string,
): string {
  return [host, readableHost(host)].some((name) => title === titleOf(name)) ? defaultTitle(host, sharedContent) : title;
}

/** Whether the link is open at that time (UTC ISO). */
export function isOpen(share: Pick<Share, 'revokedAt' | 'expiresAt'>, now: string): boolean {
  return share.revokedAt === null && (share.expiresAt === null || share.expiresAt > now);
}
