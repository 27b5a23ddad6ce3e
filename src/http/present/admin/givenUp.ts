/** Given-up work in plain words, for admins. */
import type { GivenUpDocument } from '../../../projections/givenUpWork.ts';
import type { GivenUpView } from '../../contract/admin/givenUp.ts';

export type Named = {
  /** Email addresses by user id. */
  readonly emails: ReadonlyMap<string, string>;
  /** Hosts by job id, addresses of webhooks and names of sequences by their ids. */
  readonly names: ReadonlyMap<string, string>;
};

export function presentGivenUp(document: GivenUpDocument, named: Named): GivenUpView {
  const { kind, itemId, ownerId, attempts, reason, givenUpAt, stream } = document;
  const email = ownerId === null ? undefined : named.emails.get(ownerId);
  return {
    kind,
    item_id: itemId,
    about: aboutOf(document, named),
    owner: ownerId !== null && email !== undefined ? { id: ownerId, email } : null,
    attempts,
    reason: REASONS[reason ?? ''] ?? reason ?? 'Not recorded',
    given_up_at: givenUpAt ?? '',
    stream,
  };
}

const REASONS: Readonly<Record<string, string>> = {
  dropped: 'Dropped by an operator',
  given_up: 'Given up after several attempts',
  too_old: 'Too late to send',
};

const PARTS: Readonly<Record<string, string>> = {
  plan: 'Action items',
  summary: 'Executive summary',
  verification: 'Verification of an action item',
};

function aboutOf({ kind, itemId, about, ownerId, jobId, partOf }: GivenUpDocument, { emails, names }: Named): string {
  const owner = (ownerId === null ? undefined : emails.get(ownerId)) ?? 'a deleted account';
  const part = partOf === null ? undefined : names.get(partOf);
  const site = (jobId === null ? undefined : names.get(jobId)) ?? 'a deleted job';
  switch (kind) {
    case 'mail':
      return `${capitalized((about ?? 'email').replaceAll('_', ' '))} to ${owner}`;
    case 'sequenceMail':
      return `Email ${about} of ${part ?? 'a deleted sequence'} to ${owner}`;
    case 'webhook':
      return `${about ?? 'Event'} to ${part ?? 'a removed webhook'}`;
    case 'rework':
      return `${PARTS[about ?? ''] ?? 'A part'} of ${site}`;
    case 'accountExport':
      return `Data of ${owner}`;
    case 'promptTrial':
      return `Prompt ${about ?? ''} tried on ${site}`;
    case 'providerEvent':
      return about === null ? itemId : `${about} (${itemId})`;
    case 'followUp':
      return [partOf, about].filter((each) => each !== null).join(': ');
    default:
      return about ?? itemId;
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
