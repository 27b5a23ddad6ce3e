/** The links to one analysis, as their events tell them. */

import { readableHost } from '../../model/readableAddress.ts';
import type { SharedPart } from '../../model/shares.ts';
import type { ShareEvent } from './events.ts';

export type Share = Omit<Extract<ShareEvent, { readonly type: 'ShareCreated' }>['data'], 'jobId'> & { readonly revokedAt: string | null };

export type SharesState = { readonly shares: Readonly<Record<string, Share>> };

export const sharesStream = (jobId: string): string => `shares-${jobId}`;
export const shareVisitsStream = (jobId: string): string => `share-visits-${jobId}`;

export const initialState = (): SharesState => ({ shares: {} });

export function evolve(state: SharesState, event: ShareEvent): SharesState {
  switch (event.type) {
    case 'ShareCreated': {
      const { jobId: _, ...share } = event.data;
      return { shares: { ...state.shares, [share.shareId]: { ...share, revokedAt: null } } };
    }
    case 'ShareRevoked': {
      const share = state.shares[event.data.shareId];
      return share ? { shares: { ...state.shares, [share.shareId]: { ...share, revokedAt: event.data.revokedAt } } } : state;
    }
    default:
      event satisfies never;
      return state;
  }
}

const titleOf = (host: string): string => `SEO analysis of ${host}`;

/** Of a link that was given none. It names the site only where the link is to tell which one it is. */
export function defaultTitle(host: string, sharedContent: readonly SharedPart[]): string {
  return sharedContent.includes('job_metadata') ? titleOf(readableHost(host)) : 'SEO analysis';
}

/** What visitors read. Titles that were made by default before may say more than was shared, or have the host in Punycode. */
export function titleForVisitors({ title, sharedContent }: Pick<Share, 'title' | 'sharedContent'>, host: string): string {
  return [host, readableHost(host)].some((name) => title === titleOf(name)) ? defaultTitle(host, sharedContent) : title;
}

/** Whether the link opens at that time (UTC ISO). */
export function isOpen(share: Pick<Share, 'revokedAt' | 'expiresAt'>, now: string): boolean {
  return share.revokedAt === null && (share.expiresAt === null || share.expiresAt > now);
}
