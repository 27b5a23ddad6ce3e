/**
 * Look-ups of what was made but is not in the read models yet. The only place where a read consults the log, and only
 * if they have nothing: one stream, the thing's own or that of what holds it.
 */

import { loadState } from '../../commands/handle.ts';
import { jobIdOfShareToken } from '../../commands/share/shareTokens.ts';
import { hashToken } from '../../commands/tokens.ts';
import type { Decider, DomainEvent } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { sequenceStream } from '../../domain/sequence/events.ts';
import { sequenceDecider, sequenceIdOf } from '../../domain/sequence/sequence.ts';
import { shareDecider } from '../../domain/share/decide.ts';
import { sharesStream } from '../../domain/share/events.ts';
import { jobIdOfShare } from '../../domain/share/share.ts';
import { webhooksStream } from '../../domain/webhooks/events.ts';
import { webhooksDecider } from '../../domain/webhooks/webhooks.ts';
import { getJob } from '../../projections/jobs.ts';
import {
  getSequence,
  getSequenceTemplate,
  type SequenceDocument,
  type SequenceTemplateDocument,
} from '../../projections/sequences/sequences.ts';
import { getShares, type SharesDocument } from '../../projections/shares.ts';
import { getWebhook, type WebhookDocument } from '../../projections/webhooks.ts';
import type { ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { afterWrite } from './afterWrite.ts';
import type { OwnJob } from './route.ts';

type Deps = Pick<HttpDeps, 'store' | 'readModels' | 'log' | 'metrics'>;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `userId`: null for an admin, who sees everybody's. */
export function justSubmitted(
  deps: Deps,
  { jobId, userId }: { readonly jobId: string; readonly userId: string | null },
): Promise<OwnJob | null> {
  const isThere = (state: ReturnType<typeof jobDecider.initialState>): boolean =>
    state.status !== 'none' && state.status !== 'deleted' && (userId === null || state.userId === userId);
  return justMade(deps, { id: jobId, stream: jobStream(jobId), decider: jobDecider, isThere }, (shown) =>
    getJob(shown, jobId),
  );
}

export function justMadeSequence(deps: Deps, sequenceId: string): Promise<StoredDocument<SequenceDocument> | null> {
  const sequence = { id: sequenceId, stream: sequenceStream(sequenceId), decider: sequenceDecider };
  return justMade(deps, { ...sequence, isThere: ({ status }) => status === 'there' }, (shown) =>
    getSequence(shown, sequenceId),
  );
}

export function justMadeTemplate(deps: Deps, templateId: string): Promise<SequenceTemplateDocument | null> {
  const id = sequenceIdOf(templateId) ?? '';
  const isThere = (state: ReturnType<typeof sequenceDecider.initialState>): boolean =>
    state.status === 'there' && state.templates.some((template) => template.templateId === templateId);
  return justMade(deps, { id, stream: sequenceStream(id), decider: sequenceDecider, isThere }, (shown) =>
    getSequenceTemplate(shown, templateId),
  );
}

type OfUser = { readonly endpointId: string; readonly userId: string };

export function justAddedWebhook(
  deps: Deps,
  { endpointId, userId }: OfUser,
): Promise<StoredDocument<WebhookDocument> | null> {
  const webhooks = { id: endpointId, stream: webhooksStream(userId), decider: webhooksDecider };
  return justMade(deps, { ...webhooks, isThere: ({ endpoints }) => Object.hasOwn(endpoints, endpointId) }, (shown) =>
    getWebhook(shown, endpointId),
  );
}

/** The links of its audit, if it is that user's. */
export function justShared(
  deps: Deps,
  { shareId, userId }: { readonly shareId: string; readonly userId: string },
): Promise<SharesDocument | null> {
  return justMadeShare(
    deps,
    jobIdOfShare(shareId) ?? '',
    (share) => share.shareId === shareId && share.userId === userId,
  );
}

/** The links of its audit, for whoever has this one. */
export function justSharedByToken(deps: Deps, token: string): Promise<SharesDocument | null> {
  const tokenHash = hashToken(token);
  return justMadeShare(
    deps,
    jobIdOfShareToken(token) ?? '',
    (share) => share.tokenHash === tokenHash && share.revokedAt === null,
  );
}

type StoredShare = {
  readonly shareId: string;
  readonly userId: string;
  readonly tokenHash: string;
  readonly revokedAt: string | null;
};

async function justMadeShare(
  deps: Deps,
  jobId: string,
  fits: (share: StoredShare) => boolean,
): Promise<SharesDocument | null> {
  const isThere = (state: ReturnType<typeof shareDecider.initialState>): boolean =>
    Object.values(state.shares).some(fits);
  const found = await justMade(
    deps,
    { id: jobId, stream: sharesStream(jobId), decider: shareDecider, isThere },
    (shown) => getShares(shown, jobId),
  );
  return found?.data ?? null;
}

type Made<State, Event extends DomainEvent> = {
  /** Of what has the stream: unless it is of the right shape, the log is not asked. */
  readonly id: string;
  readonly stream: string;
  // biome-ignore lint/suspicious/noExplicitAny: it is only folded, so its commands do not matter.
  readonly decider: Decider<State, any, Event>;
  /** Made and not deleted, for whoever asks. */
  readonly isThere: (state: State) => boolean;
};

/** Null if it was never made, is deleted or somebody else's. @throws NotShownYet while the read models are behind it */
async function justMade<T, State, Event extends DomainEvent>(
  deps: Deps,
  { id, stream, decider, isThere }: Made<State, Event>,
  read: (shown: ReadModels) => Promise<T | null>,
): Promise<T | null> {
  if (!ID.test(id)) return null;
  const { state, position } = await loadState(deps.store, decider, stream);
  if (!isThere(state)) return null;
  const found = await afterWrite(deps, { position, made: null }, read);
  if (found === null) {
    deps.metrics.missing();
    deps.log.error({ stream, position }, 'a read model lacks events of the log; rebuild it');
  }
  return found;
}
