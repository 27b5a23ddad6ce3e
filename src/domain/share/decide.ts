/** Rules for creating and revoking links to an audit. */
import type { JobAccess } from '../../model/jobs.ts';
import type { SharedPart, ShareMode } from '../../model/shares.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { ShareEvent } from './events.ts';
import { evolve, initialState, type SharesState } from './share.ts';

/** `at` is the time of the command, UTC ISO. */
export type ShareCommand =
  | {
      readonly type: 'CreateShare';
      readonly jobId: string;
      readonly userId: string;
      readonly shareId: string;
      readonly title: string;
      readonly description: string;
      readonly sharedContent: readonly SharedPart[];
      readonly mode: ShareMode;
      /** Hours from now; null: never. */
      readonly expiresIn: number | null;
      readonly tokenHash: string;
      /** What the owner may see of the audit: no link grants more. */
      readonly access: JobAccess;
      readonly at: string;
    }
  | { readonly type: 'RevokeShare'; readonly jobId: string; readonly shareId: string; readonly at: string };

type Command<Type extends ShareCommand['type']> = Extract<ShareCommand, { readonly type: Type }>;

/** Maximum number of links per audit, so that its document stays small. */
export const MAX_SHARES = 200;
const HOUR_MS = 3_600_000;

function decide(command: ShareCommand, state: SharesState): readonly ShareEvent[] {
  switch (command.type) {
    case 'CreateShare':
      return create(command, state);
    case 'RevokeShare':
      return revoke(command, state);
    default:
      return unreachable(command);
  }
}

export const shareDecider: Decider<SharesState, ShareCommand, ShareEvent> = { initialState, evolve, decide };

function create(command: Command<'CreateShare'>, state: SharesState): readonly ShareEvent[] {
  const { access, expiresIn, at, type: _, ...facts } = command;
  const existing = state.shares[command.shareId];
  if (existing?.tokenHash === command.tokenHash) return [];
  // The same command was repeated with a different installation secret: the first link is valid but cannot be shown
  // again.
  if (existing)
    throw new DomainError(
      'SHARE_ALREADY_CREATED',
      'This link was made before and cannot be shown again. Revoke it and create another.',
    );
  if (command.mode === 'full' && access !== 'full')
    throw new DomainError('SHARING_RESTRICTED', 'Full access sharing is not part of the free plan.');
  if (Object.keys(state.shares).length >= MAX_SHARES)
    throw new DomainError('TOO_MANY_SHARES', `An audit can have ${MAX_SHARES} links at most.`);
  const sharedContent = [...new Set(command.sharedContent)];
  if (sharedContent.length === 0) throw new DomainError('NOTHING_SHARED', 'Select at least one section to share.');
  const expiresAt = expiresIn === null ? null : later(at, expiresIn * HOUR_MS);
  return [{ type: 'ShareCreated', data: { ...facts, sharedContent, expiresAt, createdAt: at } }];
}

function revoke({ jobId, shareId, at }: Command<'RevokeShare'>, state: SharesState): readonly ShareEvent[] {
  const share = state.shares[shareId];
  if (!share) throw new DomainError('SHARE_NOT_FOUND', 'There is no such link.');
  return share.revokedAt === null ? [{ type: 'ShareRevoked', data: { jobId, shareId, revokedAt: at } }] : [];
}

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
