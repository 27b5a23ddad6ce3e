/** The past view in the address of /admin/history, and the address of a past view. */
import { adminPaths, adminUserPath } from '../../../ui/adminPaths.ts';

/** `at`: a log position or a UTC time; '' is now. */
export type PastRequest =
  | { readonly view: 'job'; readonly jobId: string; readonly at: string }
  | { readonly view: 'bill'; readonly userId: string; readonly at: string }
  /** `userId`: limits the list to one user. `search`: the beginning of the site. */
  | {
      readonly view: 'jobs';
      readonly userId: string | null;
      readonly status: string;
      readonly search: string;
      readonly at: string;
    }
  /** `search`: the beginning of the email. */
  | { readonly view: 'users'; readonly search: string; readonly at: string }
  | { readonly view: 'prompts' | 'sequences'; readonly at: string }
  /** For the whole installation, a user, or only their bill. */
  | {
      readonly view: 'changes';
      readonly userId: string | null;
      readonly of: 'user' | 'bill';
      readonly from: string;
      readonly to: string;
    };

/** Null when the address asks for no past view. */
export function pastRequestIn(address: URLSearchParams): PastRequest | null {
  const [stream, view, at] = [address.get('stream') ?? '', address.get('view'), address.get('at')];
  const userId = address.get('user') || null;
  const search = address.get('search') ?? '';
  if (view === 'jobs') return { view, userId, status: address.get('status') ?? 'all', search, at: at ?? '' };
  if (view === 'users') return { view, search, at: at ?? '' };
  if (view === 'prompts' || view === 'sequences') return { view, at: at ?? '' };
  if (view === 'changes')
    return {
      view,
      userId,
      of: address.get('of') === 'bill' ? 'bill' : 'user',
      from: address.get('from') ?? '',
      to: address.get('to') ?? '',
    };
  if (at === null) return null;
  // Only a moment: shows the jobs at that time.
  if (!['stream', 'event', 'find'].some((name) => address.get(name)))
    return { view: 'jobs', userId, status: address.get('status') ?? 'all', search, at };
  if (stream.startsWith('job-')) return { view: 'job', jobId: stream.slice('job-'.length), at };
  return stream.startsWith('billing-') ? { view: 'bill', userId: stream.slice('billing-'.length), at } : null;
}

/** Whether past states of this stream can be shown. */
export const hasPast = (stream: string): boolean => pastRequestIn(new URLSearchParams({ stream, at: '' })) !== null;

/** Query parameters of its address. */
export function searchOf(asked: PastRequest): URLSearchParams {
  if (asked.view === 'job') return new URLSearchParams({ stream: `job-${asked.jobId}`, at: asked.at });
  if (asked.view === 'bill') return new URLSearchParams({ stream: `billing-${asked.userId}`, at: asked.at });
  const { userId = null, ...named } = { userId: null, ...asked };
  return new URLSearchParams(
    Object.entries({ ...named, ...(userId === null ? {} : { user: userId }) }).filter(([, value]) => value !== ''),
  );
}

export const pathOf = (asked: PastRequest): string => `${adminPaths.history}?${searchOf(asked)}`;

const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;

/** What changed for a user or their bill since then. `since`: a position or a UTC time. */
export const changesPath = (of: 'user' | 'bill', userId: string, since: string): string =>
  pathOf({ view: 'changes', userId, of, from: since, to: '' });

/** 30 days before a moment. */
export const monthBefore = (time: number): string => new Date(time - MONTH_MS).toISOString();

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** A UTC time for the browser's datetime field, in local time; '' for an invalid time. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
}

/** The reverse, rounded to the end of the second; '' while the input is incomplete. */
export function utcTime(local: string): string {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime())
    ? ''
    : new Date(Math.floor(date.getTime() / 1000) * 1000 + 999).toISOString();
}

/** The time that an address requests; '' for now, for a position and for anything invalid. */
export const timeIn = (at: string): string => (/^\d{4}-/.test(at) && localTime(at) !== '' ? at : '');

/** A user's page of now. `email`: null for a deleted account, which has none. */
export const nowOf = (userId: string, email: string | null | undefined): string =>
  email === null ? adminPaths.users : adminUserPath(userId);
