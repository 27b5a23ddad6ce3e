/** What of the past an address of /admin/history asks for, and the address that asks for it. */
import { adminPaths } from '../../../ui/adminPaths.ts';

/** `at`: a position of the log or a UTC time; '' is now. */
export type Asked =
  | { readonly view: 'job'; readonly jobId: string; readonly at: string }
  | { readonly view: 'bill'; readonly userId: string; readonly at: string }
  /** `userId`: of one user alone. */
  | { readonly view: 'jobs'; readonly userId: string | null; readonly status: string; readonly at: string }
  /** Of the whole installation, of a user, or of their bill alone. */
  | { readonly view: 'changes'; readonly userId: string | null; readonly of: 'user' | 'bill'; readonly from: string; readonly to: string };

/** Null: it asks for nothing of the past. */
export function askedOf(address: URLSearchParams): Asked | null {
  const [stream, view, at] = [address.get('stream') ?? '', address.get('view'), address.get('at')];
  const userId = address.get('user') || null;
  if (view === 'jobs') return { view, userId, status: address.get('status') ?? 'all', at: at ?? '' };
  if (view === 'changes')
    return { view, userId, of: address.get('of') === 'bill' ? 'bill' : 'user', from: address.get('from') ?? '', to: address.get('to') ?? '' };
  if (at === null) return null;
  // A moment alone: the page of jobs as it was then.
  if (!['stream', 'event', 'find'].some((name) => address.get(name))) return { view: 'jobs', userId, status: address.get('status') ?? 'all', at };
  if (stream.startsWith('job-')) return { view: 'job', jobId: stream.slice('job-'.length), at };
  return stream.startsWith('billing-') ? { view: 'bill', userId: stream.slice('billing-'.length), at } : null;
}

/** Whether a stream is shown as it stood at a moment. */
export const hasPast = (stream: string): boolean => askedOf(new URLSearchParams({ stream, at: '' })) !== null;

/** The query of its address. */
export function searchOf(asked: Asked): URLSearchParams {
  if (asked.view === 'job') return new URLSearchParams({ stream: `job-${asked.jobId}`, at: asked.at });
  if (asked.view === 'bill') return new URLSearchParams({ stream: `billing-${asked.userId}`, at: asked.at });
  const { userId, ...named } = asked;
  return new URLSearchParams(Object.entries({ ...named, ...(userId === null ? {} : { user: userId }) }).filter(([, value]) => value !== ''));
}

export const pathOf = (asked: Asked): string => `${adminPaths.history}?${searchOf(asked)}`;

const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;

/** What changed from then until now, of a user or of their bill. `since`: a position or a UTC time. */
export const changesPath = (of: 'user' | 'bill', userId: string, since: string): string => pathOf({ view: 'changes', userId, of, from: since, to: '' });

/** 30 days before a moment. */
export const monthBefore = (time: number): string => new Date(time - MONTH_MS).toISOString();

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** A UTC time as the browser's own field for a time takes it, in the reader's time zone; '' for what is no time. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
}

/** The other way: to the end of the second that was typed. '' while nothing whole is typed. */
export function utcTime(local: string): string {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? '' : new Date(Math.floor(date.getTime() / 1000) * 1000 + 999).toISOString();
}
