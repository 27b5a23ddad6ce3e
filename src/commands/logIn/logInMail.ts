/** Logging in with an email: its code, in the browser that asked for it, or its link, in any. */
import { randomInt } from 'node:crypto';
import type { ActiveAccount } from '../../domain/account/account.ts';
import { accountDecider, accountDisabled } from '../../domain/account/decide.ts';
import { emailDecider } from '../../domain/account/email.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { logInStream } from '../../domain/logIn/events.ts';
import { codeInvalid, linkInvalid, logInDecider, mailToEnter } from '../../domain/logIn/logIn.ts';
import { mailOfLink } from '../../domain/logIn/logInMails.ts';
import { claimInstallation } from '../account/claimInstallation.ts';
import { emailStreamOf } from '../account/emailStreamOf.ts';
import { proveEmail } from '../account/proveEmail.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken, idInToken } from '../tokens.ts';

const CODE_DIGITS = 6;

/**
 * Requests the email if an account has the address. Returns nothing, so as not to reveal whether one does. `browser`:
 * the token in its cookie. `knownBrowser`: it had logged in to the account before.
 */
export async function requestLogInMail(
  ctx: CommandContext,
  input: { readonly email: string; readonly browser: string; readonly knownBrowser: boolean },
): Promise<void> {
  const { state: claim } = await loadState(ctx.store, emailDecider, emailStreamOf(input.email));
  if (claim.userId === null) return;
  const { state } = await loadState(ctx.store, accountDecider, accountStream(claim.userId));
  if (state.status !== 'active') return;
  await handle(ctx, logInDecider, logInStream(claim.userId), {
    type: 'AskForLogInMail',
    userId: claim.userId,
    requestId: derivedId(ctx.commandId, 'log-in mail', claim.userId),
    browserHash: hashToken(input.browser),
    knownBrowser: input.knownBrowser,
    unproven: state.emailProof !== 'confirmed',
    at: ctx.now(),
  });
}

/**
 * The code and the token of an email's link; null when the request is no longer valid. `code` is null if the email has
 * none. If called again, both are valid, since either email may have arrived.
 */
export async function issueLogInMail(
  ctx: CommandContext,
  input: {
    readonly userId: string;
    readonly requestId: string;
    readonly withCode: boolean;
    readonly newToken: () => string;
    readonly hashCode: (code: string) => Promise<string>;
  },
): Promise<{ readonly code: string | null; readonly token: string } | null> {
  const { userId, requestId, withCode } = input;
  const code = withCode ? String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0') : null;
  const token = `${userId}.${input.newToken()}`;
  const { events } = await handle(ctx, logInDecider, logInStream(userId), {
    type: 'IssueLogInMail',
    userId,
    requestId,
    codeHash: code === null ? null : await input.hashCode(code),
    tokenHash: hashToken(token),
    at: ctx.now(),
  });
  return events.length === 0 ? null : { code, token };
}

type VerifyCode = (hash: string | null, code: string) => Promise<boolean>;
type MoreOfProof = { readonly adminEmail?: string | undefined };

/**
 * Uses up the code that a browser was sent. A wrong one counts against this browser's email alone. The comparison is
 * made for unknown addresses, too, so that both cases take the same time.
 * @throws DomainError LOG_IN_CODE_INVALID, the same whatever the cause; ACCOUNT_DISABLED
 */
export async function spendLogInCode(
  ctx: CommandContext,
  input: {
    readonly email: string;
    readonly browser: string;
    readonly code: string;
    readonly verifyCode: VerifyCode;
  } & MoreOfProof,
): Promise<ActiveAccount> {
  const { state: claim } = await loadState(ctx.store, emailDecider, emailStreamOf(input.email));
  const { userId } = claim;
  const account = userId === null ? null : (await loadState(ctx.store, accountDecider, accountStream(userId))).state;
  if (account?.status !== 'active') {
    await input.verifyCode(null, input.code);
    throw codeInvalid();
  }
  const entered = {
    userId: account.userId,
    browserHash: hashToken(input.browser),
    emailSince: account.emailSince,
    at: ctx.now(),
  };
  const stream = logInStream(account.userId);
  const isRight = await isOneOf(await codeHashes(ctx, stream, entered), input.code, input.verifyCode);
  await handle(ctx, logInDecider, stream, { type: 'EnterLogInCode', ...entered, isRight });
  if (!isRight) throw codeInvalid();
  const { adminEmail } = input;
  return proveByMail(ctx, { userId: account.userId, email: account.email, refusal: codeInvalid, adminEmail });
}

/** None if this browser may enter no code: the command then refuses it. */
async function codeHashes(
  { store }: Pick<CommandContext, 'store'>,
  stream: string,
  entered: Parameters<typeof mailToEnter>[1],
): Promise<readonly string[]> {
  const { state } = await loadState(store, logInDecider, stream);
  try {
    return mailToEnter(state, entered).issued.flatMap(({ codeHash }) => (codeHash === null ? [] : [codeHash]));
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

async function isOneOf(hashes: readonly string[], code: string, verify: VerifyCode): Promise<boolean> {
  if (hashes.length === 0) return verify(null, code);
  for (const hash of hashes) if (await verify(hash, code)) return true;
  return false;
}

/** Whose link it is. Changes nothing: programs in mailboxes open links. @throws DomainError LOG_IN_LINK_INVALID */
export async function openLogInLink(
  ctx: Pick<CommandContext, 'store' | 'now'>,
  { token }: { readonly token: string },
): Promise<Pick<ActiveAccount, 'userId' | 'email' | 'emailSince'>> {
  const userId = idInToken(token);
  if (userId === null) throw linkInvalid();
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  const { state } = await loadState(ctx.store, logInDecider, logInStream(userId));
  if (account.status !== 'active') throw linkInvalid();
  const { email, emailSince } = account;
  if (!mailOfLink(state.mails, hashToken(token), { at: ctx.now(), emailSince })) throw linkInvalid();
  return { userId, email, emailSince };
}

/** Uses up the link, and its code. @throws DomainError LOG_IN_LINK_INVALID, ACCOUNT_DISABLED */
export async function spendLogInLink(
  ctx: CommandContext,
  input: { readonly token: string } & MoreOfProof,
): Promise<ActiveAccount> {
  const { userId, email, emailSince } = await openLogInLink(ctx, input);
  const tokenHash = hashToken(input.token);
  const command = { type: 'UseLogInLink', userId, tokenHash, emailSince, at: ctx.now() } as const;
  await handle(ctx, logInDecider, logInStream(userId), command);
  return proveByMail(ctx, { userId, email, refusal: linkInvalid, adminEmail: input.adminEmail });
}

/**
 * Whoever logs in so reads the account's email, unless it has moved from `email` meanwhile: the first time, what was set up before ends. Its sessions and other
 * access are ended by the caller, or, after a crash, by the followers.
 */
async function proveByMail(
  ctx: CommandContext,
  {
    userId,
    email,
    adminEmail,
    refusal,
  }: { readonly userId: string; readonly email: string; readonly refusal: () => DomainError } & MoreOfProof,
): Promise<ActiveAccount> {
  const stream = accountStream(userId);
  const { state } = await loadState(ctx.store, accountDecider, stream);
  if (state.status !== 'active' || state.email !== email) throw refusal();
  if (state.isDisabled) throw accountDisabled();
  if (state.emailProof !== 'confirmed') {
    await proveEmail(ctx, { userId, email, by: 'mail' }).catch((error: unknown) => {
      // Another account has proven the address by now and receives its email.
      throw error instanceof DomainError ? refusal() : error;
    });
  }
  const command = { type: 'ProveByMail', email, at: ctx.now() } as const;
  const { state: proven, events } = await handle(ctx, accountDecider, stream, command);
  if (proven.status !== 'active' || proven.email !== email) throw refusal();
  if (adminEmail !== undefined && events.length > 0) await claimInstallation(ctx, { userId, adminEmail });
  return proven;
}
