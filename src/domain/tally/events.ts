/**
 * Storage format, version with care. A tally counts what somebody can repeat at will, so that a thousand repeats are a
 * few events. Streams: `{kind}-{month}-{userId}`, one for each account, kind and UTC month (`202611`): a stream that
 * was deleted can never be written again, so each has an end. Deleted with the account, and once all of the month is
 * older than the limit; before that, the sums of its days go to `tally-sums-{sumId}`, which stays.
 */
import * as z from 'zod';
import { TALLY_MAX_DAYS } from '../../model/limits.ts';
import { at, count, type EventIn, type Infer, id } from '../eventSchemas.ts';

/** `count` since the last event of its kind and reason; the first of them at `since`. */
const tally = { userId: id, count, since: at, until: at };

const refusalReason = z.enum(['INSUFFICIENT_CREDITS', 'EMAIL_NOT_CONFIRMED', 'INVALID_URL']);
const purchase = z.enum(['reports', 'plan']);
const outcome = z.enum(['valid', 'invalid']);

export const REFUSED_SUBMISSION_EVENTS = {
  /** `reason`: the code of the answer. */
  SubmissionsRefused: z.strictObject({ ...tally, reason: refusalReason }),
};
export const CHECKOUT_EVENTS = {
  /** For reports the dialog, for a plan the provider's page. */
  CheckoutsOpened: z.strictObject({ ...tally, purchase }),
  /** Given up when a payment had been begun; one that is merely closed has no event. */
  CheckoutsLeft: z.strictObject({ ...tally, purchase }),
};
export const TRIED_CODE_EVENTS = {
  CodesTried: z.strictObject({
    ...tally,
    outcome,
    /** Those of the provider that were typed; what else was typed is not stored. */
    codes: z.array(z.string()),
  }),
};
export const REFUSED_LOG_IN_EVENTS = {
  /** A wrong password or second factor; not what a limit refused before anything was looked at. */
  LogInsRefused: z.strictObject(tally),
};

/** What is counted. */
const tallied = z.enum([
  'ran_out',
  'email_not_confirmed',
  'invalid_url',
  'reports_opened',
  'reports_left',
  'plan_opened',
  'plan_left',
  'code_valid',
  'code_invalid',
  'log_in_refused',
]);
export type Tallied = Infer<typeof tallied>;

const daySum = z.strictObject({
  /** UTC, `2026-11-29`. */
  day: z.string(),
  counts: z.array(z.strictObject({ what: tallied, count })),
  /** Users who ran out of audits on that day, and how many of them did this within a day of it. */
  ranOut: count,
  opened: count,
  bought: count,
  /** Opened a checkout and bought nothing. */
  left: count,
});
export type DaySum = Infer<typeof daySum>;

export const TALLY_SUM_EVENTS = {
  /**
   * What was counted by tallies that are deleted now. It names nobody. `month`: of all of that month; absent: of an
   * account that was deleted.
   */
  TalliesSummed: z.strictObject({
    sumId: id,
    month: z.string().exactOptional(),
    days: z.array(daySum),
    summedAt: at,
  }),
};

export type TallyEvent = EventIn<
  typeof REFUSED_SUBMISSION_EVENTS & typeof CHECKOUT_EVENTS & typeof TRIED_CODE_EVENTS & typeof REFUSED_LOG_IN_EVENTS
>;
export type TallySumEvent = EventIn<typeof TALLY_SUM_EVENTS>;

export const TALLY_KINDS = ['refused-submissions', 'checkouts', 'tried-codes', 'refused-log-ins'] as const;
type TallyKind = (typeof TALLY_KINDS)[number];

const KIND_OF: { readonly [Type in TallyEvent['type']]: TallyKind } = {
  SubmissionsRefused: 'refused-submissions',
  CheckoutsOpened: 'checkouts',
  CheckoutsLeft: 'checkouts',
  CodesTried: 'tried-codes',
  LogInsRefused: 'refused-log-ins',
};
export const TALLY_TYPES = Object.keys(KIND_OF) as readonly TallyEvent['type'][];

export const tallyStream = ({ type, data }: TallyEvent): string =>
  `${KIND_OF[type]}-${monthOf(data.since)}-${data.userId}`;

export const tallySumsStream = (sumId: string): string => `tally-sums-${sumId}`;

/** Of a UTC ISO time: `202611`. */
export const monthOf = (at: string): string => at.slice(0, 4) + at.slice(5, 7);

const inMonth = new RegExp(`^(?:${TALLY_KINDS.join('|')})-(\\d{6})-`);

/** The month that a tally's stream is of; null for any other stream. */
export const monthOfStream = (stream: string): string | null => inMonth.exec(stream)?.[1] ?? null;

/** The start of the next month, UTC ISO. */
export const endOfMonth = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)), 1)).toISOString();

/** Of a user and a month: one for each kind. */
export const tallyStreamsIn = (month: string, userId: string): readonly string[] =>
  TALLY_KINDS.map((kind) => `${kind}-${month}-${userId}`);

/** Every stream of tallies that a user may have, newest first: the names are all there is to find them by. */
export function tallyStreamsOf(userId: string, now: string): readonly string[] {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7)) - 1];
  return Array.from({ length: MOST_MONTHS }, (_, back) =>
    monthOf(new Date(Date.UTC(year, month - back, 1)).toISOString()),
  ).flatMap((of) => tallyStreamsIn(of, userId));
}

/** Of all that tallies may be kept, in whole months. */
const MOST_MONTHS = Math.ceil(TALLY_MAX_DAYS / 31) + 2;
