/** Texts of the account and webhook emails. */
import { maskedEmail } from '../../model/emailAddress.ts';
import { readableHost } from '../../model/readableAddress.ts';
import { type MailContent, oneLine, PRODUCT } from './layout.ts';

export type Surroundings = {
  readonly appUrl: string;
  readonly supportEmail: string /** No allowance applies. */;
  readonly unlimited?: boolean;
};

export function passwordResetMail(
  { appUrl }: Surroundings,
  tokens: { readonly accessToken: string; readonly refreshToken: string },
): MailContent {
  // In the fragment, which never reaches a server or a log.
  const fragment = new URLSearchParams({ access_token: tokens.accessToken, refresh_token: tokens.refreshToken });
  return {
    subject: `Reset your ${PRODUCT} password`,
    heading: 'Set a new password',
    blocks: [
      { kind: 'text', text: `Someone, hopefully you, asked to reset the password of your ${PRODUCT} account.` },
      { kind: 'button', label: 'Set a new password', url: `${appUrl}/reset-password#${fragment}` },
      {
        kind: 'text',
        text: 'The link works once and expires in one hour. Resetting your password logs you out everywhere.',
      },
    ],
    footer: [{ text: 'If this wasn’t you, ignore this email.' }],
  };
}

/** `code`: null when codes are off for the day, because too many wrong ones were entered. */
export function logInMail(
  { appUrl }: Surroundings,
  { code, token }: { readonly code: string | null; readonly token: string },
): MailContent {
  const how =
    code === null
      ? 'Someone, hopefully you, asked to log in with this address. Too many wrong codes were entered today, so this email has only a link.'
      : 'Someone, hopefully you, asked to log in with this address. Enter this code in the browser where you asked for it:';
  return {
    subject: `Log in to ${PRODUCT}`,
    heading: 'Log in',
    blocks: [
      { kind: 'text', text: how },
      ...(code === null ? [] : [{ kind: 'figure', value: code, label: 'Your code' } as const]),
      { kind: 'text', text: code === null ? 'Open the link to log in:' : 'Or open the link, in any browser:' },
      // In the fragment, as above.
      { kind: 'button', label: 'Log in', url: `${appUrl}/email-login#${new URLSearchParams({ token })}` },
      { kind: 'text', text: 'They work once and expire in ten minutes. Don’t pass them on to anyone.' },
    ],
    footer: [{ text: 'If this wasn’t you, ignore this email: nobody gets in without the code or the link.' }],
  };
}

const WAYS_IN = {
  PasskeyAdded: 'A passkey was added to',
  PasskeyRemoved: 'A passkey was removed from',
  IdentityLinked: 'A way to log in was added to',
  IdentityUnlinked: 'A way to log in was removed from',
} as const;

export function wayInMail(
  { appUrl, supportEmail }: Surroundings,
  { type, changedAt }: { readonly type: keyof typeof WAYS_IN; readonly changedAt: string },
): MailContent {
  const what = WAYS_IN[type];
  return {
    subject: `${what} your ${PRODUCT} account`,
    heading: `${what} your account`,
    blocks: [
      { kind: 'text', text: `This was done on ${timeOf(changedAt)}.` },
      { kind: 'text', text: 'If this was you, you don’t need to do anything.' },
    ],
    footer: [
      {
        text: 'Wasn’t you? Reset your password now, then look through the ways to log in on your account page.',
        link: { label: 'Reset password', url: `${appUrl}/forgot-password` },
      },
      { text: `Or contact ${supportEmail}.` },
    ],
  };
}

/** `moves`: the account keeps its current address until the link is opened. */
export function emailConfirmationMail(
  { appUrl }: Surroundings,
  { token, moves }: { readonly token: string; readonly moves: boolean },
): MailContent {
  const why = moves
    ? `Someone, hopefully you, asked to use this address for an ${PRODUCT} account. It takes effect once you confirm it.`
    : `Someone, hopefully you, signed up for ${PRODUCT} with this address. Confirm it to get emails about your audits.`;
  return {
    subject: `Confirm your email address for ${PRODUCT}`,
    heading: 'Confirm your email address',
    blocks: [
      { kind: 'text', text: why },
      // In the fragment, as above.
      {
        kind: 'button',
        label: 'Confirm email address',
        url: `${appUrl}/confirm-email#${new URLSearchParams({ token })}`,
      },
      { kind: 'text', text: 'The link works once and expires in 24 hours.' },
    ],
    footer: [
      {
        text: 'If this wasn’t you, ignore this email: without your confirmation we won’t send anything else to this address.',
      },
    ],
  };
}

export function passwordChangedMail({ appUrl, supportEmail }: Surroundings, changedAt: string): MailContent {
  return {
    subject: `Your ${PRODUCT} password was changed`,
    heading: 'Your password was changed',
    blocks: [
      {
        kind: 'text',
        text: `The password of your account was changed on ${timeOf(changedAt)}. Other sessions were logged out.`,
      },
      { kind: 'text', text: 'If this was you, you don’t need to do anything.' },
    ],
    footer: [
      {
        text: 'Wasn’t you? Reset your password now.',
        link: { label: 'Reset password', url: `${appUrl}/forgot-password` },
      },
      { text: `Or contact ${supportEmail}.` },
    ],
  };
}

export function secondFactorMail(
  { appUrl, supportEmail }: Surroundings,
  { on, changedAt }: { readonly on: boolean; readonly changedAt: string },
): MailContent {
  const title = `Two-factor authentication was turned ${on ? 'on' : 'off'}`;
  const what = on
    ? 'Logging in now also asks for a code from your authenticator app. Keep your recovery codes in a safe place.'
    : 'Logging in no longer asks for a code.';
  return {
    subject: `${title} for your ${PRODUCT} account`,
    heading: title,
    blocks: [
      { kind: 'text', text: `This was done on ${timeOf(changedAt)}. ${what}` },
      { kind: 'text', text: 'If this was you, you don’t need to do anything.' },
    ],
    footer: [
      {
        text: 'Wasn’t you? Reset your password now.',
        link: { label: 'Reset password', url: `${appUrl}/forgot-password` },
      },
      { text: `Or contact ${supportEmail}.` },
    ],
  };
}

/** Sent to the former address, so that the owner learns of it if someone took over the account. */
export function emailChangedMail(
  { supportEmail }: Surroundings,
  change: { readonly email: string; readonly changedAt: string },
): MailContent {
  return {
    subject: `Your ${PRODUCT} email address was changed`,
    heading: 'Your email address was changed',
    blocks: [
      {
        kind: 'text',
        text: `On ${timeOf(change.changedAt)} the email address of your account was changed to ${maskedEmail(change.email)}.`,
      },
      { kind: 'text', text: 'If this was you, you don’t need to do anything. We won’t email this address again.' },
    ],
    footer: [{ text: `Wasn’t you? Contact ${supportEmail} right away.` }],
  };
}

export function webhookOffMail(
  { appUrl }: Surroundings,
  { host, disabledAt }: { readonly host: string; readonly disabledAt: string },
): MailContent {
  const receiver = oneLine(readableHost(host), 60);
  return {
    subject: `Your webhook to ${receiver} was turned off`,
    heading: `Your webhook to ${receiver} was turned off`,
    blocks: [
      { kind: 'text', text: `Every delivery has failed for a day, so we turned it off on ${timeOf(disabledAt)}.` },
      {
        kind: 'text',
        text: 'Events that happen while it’s off aren’t delivered later. Check its deliveries, fix the receiver, send a test, and turn it on again.',
      },
      { kind: 'button', label: 'View deliveries', url: `${appUrl}/account/api` },
    ],
    footer: [
      { text: 'You’re receiving this because you added this webhook. We email you each time one is turned off.' },
    ],
  };
}

const timeOf = (at: string): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
