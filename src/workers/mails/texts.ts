/** What the product writes to its users about their accounts and webhooks. */
import { type MailContent, oneLine, PRODUCT } from './layout.ts';

export type Surroundings = { readonly appUrl: string; readonly supportEmail: string };

export function passwordResetMail({ appUrl }: Surroundings, tokens: { readonly accessToken: string; readonly refreshToken: string }): MailContent {
  // In the fragment, which no server and no log ever sees.
  const fragment = new URLSearchParams({ access_token: tokens.accessToken, refresh_token: tokens.refreshToken });
  return {
    subject: `Reset your ${PRODUCT} password`,
    heading: 'Set a new password',
    blocks: [
      { kind: 'text', text: `Somebody, hopefully you, asked for a new password for your ${PRODUCT} account.` },
      { kind: 'button', label: 'Set a new password', url: `${appUrl}/reset-password#${fragment}` },
      { kind: 'text', text: 'The link works once, for one hour. It ends every open session of your account.' },
    ],
    footer: [{ text: 'It was not you? Then leave it: nothing changes unless the link is used.' }],
  };
}

export function passwordChangedMail({ appUrl, supportEmail }: Surroundings, changedAt: string): MailContent {
  return {
    subject: `Your ${PRODUCT} password was changed`,
    heading: 'Your password was changed',
    blocks: [
      { kind: 'text', text: `The password of your account was changed on ${timeOf(changedAt)}. Other sessions were logged out.` },
      { kind: 'text', text: 'If this was you, there is nothing to do.' },
    ],
    footer: [
      { text: 'It was not you? Set a new password at once.', link: { label: 'Reset password', url: `${appUrl}/forgot-password` } },
      { text: `Or write to ${supportEmail}.` },
    ],
  };
}

/** To the former address: whoever took the account over must not be the only one to know. */
export function emailChangedMail({ supportEmail }: Surroundings, change: { readonly email: string; readonly changedAt: string }): MailContent {
  return {
    subject: `The address of your ${PRODUCT} account was changed`,
    heading: 'Your account has another address',
    blocks: [
      { kind: 'text', text: `On ${timeOf(change.changedAt)} the e-mail address of your account was changed to ${masked(change.email)}.` },
      { kind: 'text', text: 'If this was you, there is nothing to do. This address gets no more mail from us.' },
    ],
    footer: [{ text: `It was not you? Write to ${supportEmail} at once.` }],
  };
}

export function webhookOffMail({ appUrl }: Surroundings, { host, disabledAt }: { readonly host: string; readonly disabledAt: string }): MailContent {
  const receiver = oneLine(host, 60);
  return {
    subject: `Your webhook to ${receiver} was turned off`,
    heading: `Your webhook to ${receiver} was turned off`,
    blocks: [
      { kind: 'text', text: `For a day nothing that we sent to it has arrived, so we stopped on ${timeOf(disabledAt)}.` },
      { kind: 'text', text: 'What happens meanwhile is not told later. Look at its deliveries, mend the receiver, send a test and turn it on again.' },
      { kind: 'button', label: 'Look at its deliveries', url: `${appUrl}/account/api` },
    ],
    footer: [{ text: 'You get this because you added the webhook. There is one such mail each time it is turned off.' }],
  };
}

const timeOf = (at: string): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

/** Enough to recognise one's own, too little for anybody else. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
