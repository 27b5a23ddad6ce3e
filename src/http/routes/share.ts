/** Shared links to audits: created, listed and revoked by their owners, opened by anyone who has one. */
import * as z from 'zod';
import { createShare } from '../../commands/share/createShare.ts';
import { revokeShare } from '../../commands/share/revokeShare.ts';
import { tierAt } from '../../domain/billing/subscription.ts';
import { DomainError } from '../../domain/decider.ts';
import type { ShareVisitEvent } from '../../domain/share/events.ts';
import { descending } from '../../model/order.ts';
import { SHARED_PARTS } from '../../model/shares.ts';
import { getBilling } from '../../projections/billing.ts';
import { getJob } from '../../projections/jobs.ts';
import { getShares, listShares } from '../../projections/shares.ts';
import { mayAsOwner } from '../auth/policy.ts';
import {
  CreateShareRequest,
  CreateShareResponse,
  PreviewEventRequest,
  PreviewEventResponse,
  RevokeShareResponse,
  SharedResponse,
  ShareStateResponse,
  SharesQuery,
  SharesResponse,
} from '../contract/share.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { proofRuleOf } from '../deps/proofRule.ts';
import { HttpError, jobNotFound } from '../request/errors.ts';
import { readCursor, writeCursor } from '../request/listCursor.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { justShared, justSubmitted } from '../routing/justMade.ts';
import { type RouteRequest, route } from '../routing/route.ts';
import { accessOf, type OpenShare, openShare, openShareFor } from '../sharing/openShare.ts';
import { presentShare, presentShared, shareUrlOf } from '../sharing/presentShare.ts';

const shareNotFound = (): HttpError =>
  new HttpError('SHARE_NOT_FOUND', 'This link may have expired, been revoked or never existed.');

export const createOneShare = route({
  method: 'POST',
  path: '/share/create',
  access: 'user',
  summary: 'Create a link that lets anyone read one of your audits, or a preview of it',
  body: CreateShareRequest,
  example: { jobId: '{jobId}' },
  response: CreateShareResponse,
  status: 201,
  limit: 'submit',
  // The link is secret, so it is not stored: a repeat rebuilds it.
  answerNotKept: true,
  refusals: ['JOB_NOT_FOUND', 'JOB_NOT_FINISHED', 'EMAIL_NOT_CONFIRMED', 'SHARING_RESTRICTED', 'TOO_MANY_SHARES'],
  handler: async ({ deps, body, caller, command }) => {
    const { jobId, title, description = '', sharedContent = [...SHARED_PARTS], shareMode, expiresIn } = body;
    const { userId } = caller;
    const job = (await getJob(deps.readModels, jobId)) ?? (await justSubmitted(deps, { jobId, userId }));
    if (!job || !mayAsOwner(caller, 'share', { kind: 'job', ownerId: job.data.userId }))
      throw jobNotFound({ anothers: job !== null });
    const mode = shareMode ?? job.data.access;
    const { shareId, token, position } = await createShare(command, {
      jobId,
      userId,
      title,
      description,
      sharedContent,
      mode,
      expiresIn: expiresIn || null,
      secret: deps.sharing.secret,
      proofRule: proofRuleOf(deps.config),
    }).catch((error: unknown) => refuseFullShare(deps, userId, error));
    const answer = {
      success: true as const,
      data: { id: shareId, shareUrl: shareUrlOf(deps.config.appUrl, sharedContent, token) },
    };
    return afterWrite(deps, { position, answer }, (shown) => getShares(shown, jobId));
  },
});

/** A user who has a plan, or needs none, has nothing to buy: this audit is a preview from an earlier time. */
async function refuseFullShare({ readModels, now, config }: HttpDeps, userId: string, error: unknown): Promise<never> {
  if (!(error instanceof DomainError) || error.code !== 'SHARING_RESTRICTED') throw error;
  const bill = await getBilling(readModels, userId);
  if (!config.unlimited && tierAt(bill?.data.subscriptions ?? [], now()) === 'free') throw error;
  throw new DomainError(error.code, 'Unlock this audit to share all of it.');
}

const PAGE = 100;

export const listAllShares = route({
  method: 'GET',
  path: '/share/list/all',
  access: 'user',
  summary: 'List your shared links, newest first, including ended ones',
  query: SharesQuery,
  response: SharesResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller, query }) => {
    const at = { appUrl: deps.config.appUrl, secret: deps.sharing.secret, now: deps.now() };
    const list = ['shares', caller.userId] as const;
    const after = readCursor(list, query.cursor);
    const entries = (await listShares(deps.readModels, caller.userId)).flatMap(({ jobId, shares }) =>
      shares.map((share) => ({ jobId, share })),
    );
    const sorted = entries
      .map((entry) => ({ ...entry, place: `${entry.share.createdAt} ${entry.share.shareId}` }))
      .sort((a, b) => descending(a.place, b.place));
    const left = sorted.filter(({ place }) => after === undefined || place < after);
    const page = left.slice(0, query.limit ?? PAGE);
    const last = left.length > page.length ? page.at(-1) : undefined;
    return {
      success: true as const,
      data: page.map(({ jobId, share }) => presentShare(jobId, share, at)),
      cursor: last ? writeCursor(list, last.place) : null,
    };
  },
});

export const revokeOneShare = route({
  method: 'DELETE',
  path: '/share/{shareId}',
  access: 'user',
  summary: 'Revoke one of your shared links for good',
  params: z.object({ shareId: z.string().min(1).max(200) }),
  response: RevokeShareResponse,
  refusals: ['SHARE_NOT_FOUND'],
  handler: async ({ deps, caller, params, command }) => {
    const { shareId } = params;
    const listed = (await listShares(deps.readModels, caller.userId)).find(({ shares }) =>
      shares.some((share) => share.shareId === shareId),
    );
    const owning = listed ?? (await justShared(deps, { shareId, userId: caller.userId }));
    if (!owning || !mayAsOwner(caller, 'remove', { kind: 'share', ownerId: owning.userId, opened: false }))
      throw new HttpError('SHARE_NOT_FOUND', 'There is no such link.');
    const { position } = await revokeShare(command, { jobId: owning.jobId, shareId });
    return afterWrite(deps, { position, answer: { success: true as const, message: 'Link revoked' } }, (shown) =>
      getShares(shown, owning.jobId),
    );
  },
});

const TokenParams = z.object({ token: z.string().min(1).max(200) });

export const getShared = route({
  method: 'GET',
  path: '/share/{token}',
  access: 'public',
  summary: 'Get what a shared link shows',
  params: TokenParams,
  response: SharedResponse,
  refusals: ['SHARE_NOT_FOUND'],
  handler: async (request) => {
    const open = await opened(request, request.params.token);
    const data = await presentShared(request.deps, open);
    // Includes the current view.
    const viewCount = data.viewCount + (visited(request, open, 'ShareViewed') ? 1 : 0);
    return { success: true as const, data: { ...data, viewCount } };
  },
});

export const getShareState = route({
  method: 'GET',
  path: '/share/{token}/state',
  access: 'public',
  summary: 'Check whether a shared link still opens; for open pages without a websocket',
  params: TokenParams,
  response: ShareStateResponse,
  refusals: ['SHARE_NOT_FOUND'],
  handler: async (request) => {
    const { share, job } = await opened(request, request.params.token);
    return { success: true as const, isPreview: accessOf(share, job) === 'preview' };
  },
});

/** Gives the same response for any token, so that page events cannot be used to probe tokens. */
const previewEvent = (
  path: '/analytics/preview-viewed' | '/analytics/preview-cta-clicked',
  type: ShareVisitEvent['type'],
  summary: string,
) =>
  route({
    method: 'POST',
    path,
    access: 'public',
    summary,
    body: PreviewEventRequest,
    example: { shareToken: 'a token of a link' },
    response: PreviewEventResponse,
    status: 202,
    limit: 'beacon',
    handler: async (request) => {
      const open = await openShare(request.deps, request.body.shareToken);
      if (open?.share.mode === 'preview') visited(request, open, type);
      return { success: true as const };
    },
  });

export const previewViewed = previewEvent(
  '/analytics/preview-viewed',
  'SharePreviewViewed',
  'A shared preview was viewed',
);
export const previewCtaClicked = previewEvent(
  '/analytics/preview-cta-clicked',
  'ShareSignUpClicked',
  'The sign-up button of a shared preview was pressed',
);

/** @throws HttpError SHARE_NOT_FOUND; RATE_LIMITED after many invalid tokens */
async function opened(
  { deps, limiter, address }: Pick<RouteRequest, 'deps' | 'limiter' | 'address'>,
  token: string,
): Promise<OpenShare> {
  const open = await openShareFor(deps, limiter, address, token);
  if (!open) throw shareNotFound();
  return open;
}

function visited(
  { deps, address }: Pick<RouteRequest, 'deps' | 'address'>,
  { share, job }: OpenShare,
  type: ShareVisitEvent['type'],
): boolean {
  return deps.sharing.visits.record({ type, jobId: job.jobId, shareId: share.shareId, visitor: address });
}
