/** What was changed in the whole installation: each event with its subject, unless that has been erased. */
import { isOf } from '../../../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../../eventStore/eventStore.ts';
import { movedBy } from '../../../history/past/money.ts';
import { eventWords } from '../../../model/history/eventWords.ts';
import { moneyText } from '../../../model/money.ts';
import { nameOfTier } from '../../../model/tiers.ts';
import type { ChangeView } from '../../contract/admin/past.ts';
import { type EmailOf, presentWho, usersIn } from './history.ts';

/** Names of what still exists. */
export type Names = {
  /** By user id. */
  readonly emails: EmailOf;
  /** By job id. */
  readonly hosts: ReadonlyMap<string, string>;
  /** By sequence id. */
  readonly sequences: ReadonlyMap<string, string>;
};

type Ids = { readonly userId?: unknown; readonly jobId?: unknown; readonly sequenceId?: unknown };

const idIn = (event: RecordedEvent, name: keyof Ids): readonly string[] => {
  const id = (event.data as Ids)[name];
  return typeof id === 'string' ? [id] : [];
};

/** Ids of everything that the events name, without duplicates. */
export function namedIn(
  events: readonly RecordedEvent[],
): Readonly<Record<'users' | 'jobs' | 'sequences', readonly string[]>> {
  const all = (name: keyof Ids) => [...new Set(events.flatMap((event) => idIn(event, name)))];
  return {
    users: [...new Set([...all('userId'), ...usersIn(events.map(({ metadata }) => metadata.actor))])],
    jobs: all('jobId'),
    sequences: all('sequenceId'),
  };
}

export function presentChange(event: RecordedEvent, names: Names): ChangeView {
  const { type, stream, revision, position, metadata } = event;
  return {
    type,
    title: eventWords(type),
    at: metadata.at,
    position,
    stream,
    revision: Number(revision),
    by: presentWho(metadata.actor, names.emails).by,
    what: whatOf(event, names),
    detail: detailOf(event),
  };
}

/** The site of a deleted job is as secret as everywhere. */
function whatOf(event: RecordedEvent, { emails, hosts, sequences }: Names): string | null {
  const [jobId] = idIn(event, 'jobId');
  if (jobId !== undefined) return hosts.get(jobId) ?? null;
  if (isOf(event, 'PromptSaved', 'PromptReverted', 'SequenceCreated')) return event.data.name;
  const [sequenceId] = idIn(event, 'sequenceId');
  if (sequenceId !== undefined) return sequences.get(sequenceId) ?? null;
  const [userId] = idIn(event, 'userId');
  return userId === undefined ? null : (emails.get(userId) ?? null);
}

function detailOf(event: RecordedEvent): string | null {
  const moved = movedBy(event);
  const sum = moved && moneyText({ amount: moved.in + moved.out, currency: moved.currency });
  if (isOf(event, 'PromptSaved', 'PromptReverted')) return `Version ${event.data.version}`;
  if (isOf(event, 'SequenceTemplateAdded', 'SequenceTemplateChanged')) return event.data.name;
  if (isOf(event, 'CreditsGranted')) return event.data.credits === 1 ? '1 credit' : `${event.data.credits} credits`;
  if (
    isOf(
      event,
      'SubscriptionStarted',
      'SubscriptionChanged',
      'SubscriptionRenewed',
      'SubscriptionChangeScheduled',
      'SubscriptionEnded',
    )
  ) {
    const plan = nameOfTier(event.data.tier);
    return sum === null ? plan : `${plan}, ${sum}`;
  }
  return sum;
}
