/** Emails to log in with, each with a code and a link: rate limit, lifetime, and wrong codes. */
import type { LogInEvent } from './events.ts';

export type LogInMail = {
  readonly requestId: string;
  readonly browserHash: string;
  readonly knownBrowser: boolean;
  readonly withCode: boolean;
  readonly askedAt: string;
  readonly expiresAt: string;
  /** One per possible send of the email, the latest. */
  readonly issued: readonly { readonly codeHash: string | null; readonly tokenHash: string }[];
  /** Wrong codes entered in its browser. */
  readonly wrong: number;
  /** False once its code or link was used. */
  readonly isOpen: boolean;
};

export type WrongCodes = {
  /** UTC day: `2026-11-28`. */
  readonly day: string;
  readonly count: number;
};

/** Wrong codes after which a code no longer works. */
const MOST_WRONG = 5;
/** Emails an hour, as for resets: as many again for browsers that had logged in to the account before. */
const MOST_AN_HOUR = 3;
/** Wrong codes a day from other browsers, after which codes work only in those. */
const MOST_WRONG_A_DAY = 30;
const CODE_MS = 10 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

export const mailExpiry = (at: string): string => new Date(Date.parse(at) + CODE_MS).toISOString();

type Asked = Extract<LogInEvent, { readonly type: 'LogInMailAsked' }>['data'];

/** Those of the last hour before the new one, oldest first: enough for the limit, and all that have not expired. */
export function mailAsked(mails: readonly LogInMail[], asked: Asked): readonly LogInMail[] {
  const { requestId, browserHash, askedAt, expiresAt } = asked;
  const recent = mails.filter((mail) => isWithinHour(mail, askedAt));
  return [
    ...recent,
    {
      requestId,
      browserHash,
      knownBrowser: asked.knownBrowser === true,
      withCode: asked.withoutCode !== true,
      askedAt,
      expiresAt,
      issued: [],
      wrong: 0,
      isOpen: true,
    },
  ];
}

/** Sends of one email of which the code counts: each one costs a comparison. */
const SENDS_KEPT = 2;

type Issued = Extract<LogInEvent, { readonly type: 'LogInMailIssued' }>['data'];

export const mailIssued = (mail: LogInMail, { codeHash, tokenHash }: Issued): LogInMail => ({
  ...mail,
  issued: [...mail.issued, { codeHash, tokenHash }].slice(-SENDS_KEPT),
});

export const mayAskForMail = (mails: readonly LogInMail[], knownBrowser: boolean, at: string): boolean =>
  mails.filter((mail) => mail.knownBrowser === knownBrowser && isWithinHour(mail, at)).length < MOST_AN_HOUR;

const isWithinHour = ({ askedAt }: LogInMail, at: string): boolean => Date.parse(askedAt) > Date.parse(at) - HOUR_MS;

/** `emailSince`: when the account moved to its address; emails to the one before no longer count. */
type Moment = { readonly at: string; readonly emailSince: string | null };

/** The email that this browser asked for last, if its code may still be used. */
export const mailOfBrowser = (
  mails: readonly LogInMail[],
  browserHash: string,
  moment: Moment,
): LogInMail | undefined => mails.findLast((mail) => mail.browserHash === browserHash && isUsable(mail, moment));

/** The email with this link, if it may still be used. */
export const mailOfLink = (mails: readonly LogInMail[], tokenHash: string, moment: Moment): LogInMail | undefined =>
  mails.find((mail) => isUsable(mail, moment) && mail.issued.some((sent) => sent.tokenHash === tokenHash));

const isUsable = ({ isOpen, askedAt, expiresAt }: LogInMail, { at, emailSince }: Moment): boolean =>
  isOpen && at < expiresAt && (emailSince === null || askedAt > emailSince);

/** Whether a code of this request may be tried: never decided by what was entered in another browser that is known. */
export const takesCodes = (mail: LogInMail, wrong: WrongCodes, at: string): boolean =>
  mail.withCode && mail.wrong < MOST_WRONG && (mail.knownBrowser || !areCodesOff(wrong, at));

/** Whether other browsers than known ones may not use codes today. */
export const areCodesOff = ({ day, count }: WrongCodes, at: string): boolean =>
  day === at.slice(0, 10) && count >= MOST_WRONG_A_DAY;

export const oneMoreWrong = ({ day, count }: WrongCodes, at: string): WrongCodes =>
  day === at.slice(0, 10) ? { day, count: count + 1 } : { day: at.slice(0, 10), count: 1 };
