/** An account's ways to log in besides its password: codes and links by email, passkeys, identities at providers. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { LogInEvent } from './events.ts';
import {
  areCodesOff,
  type LogInMail,
  mailAsked,
  mailExpiry,
  mailIssued,
  mailOfBrowser,
  mailOfLink,
  mayAskForMail,
  oneMoreWrong,
  takesCodes,
  type WrongCodes,
} from './logInMails.ts';

type DataOf<Type extends LogInEvent['type']> = Extract<LogInEvent, { readonly type: Type }>['data'];

export type Passkey = Omit<DataOf<'PasskeyAdded'>, 'userId'> & { readonly lastUsedAt: string | null };
export type Identity = Omit<DataOf<'IdentityLinked'>, 'userId'> & { readonly lastUsedAt: string | null };
export type RemovalOfWay = DataOf<'PasskeyRemoved'>['reason'];

export type LogInState = {
  readonly mails: readonly LogInMail[];
  /** Entered in browsers that are not known. */
  readonly wrongCodes: WrongCodes;
  /** By `passkeyId`. */
  readonly passkeys: Readonly<Record<string, Passkey>>;
  /** By `identityId`. */
  readonly identities: Readonly<Record<string, Identity>>;
  readonly closed: boolean;
};

type OfUser = { readonly userId: string; readonly at: string };
/** `emailSince`: when the account moved to its address; null: it has had no other. */
type OfMail = OfUser & { readonly emailSince: string | null };

/** `at` is the time of the command, UTC ISO. */
export type LogInCommand =
  | ({
      readonly type: 'AskForLogInMail';
      readonly requestId: string;
      readonly browserHash: string;
      readonly knownBrowser: boolean;
      /** The account has not proven the address. */
      readonly unproven: boolean;
    } & OfUser)
  | ({ readonly type: 'IssueLogInMail' } & Omit<DataOf<'LogInMailIssued'>, 'issuedAt'> & OfUser)
  /** `isRight`: whether the code is one of the email that this browser asked for last. */
  | ({ readonly type: 'EnterLogInCode'; readonly browserHash: string; readonly isRight: boolean } & OfMail)
  | ({ readonly type: 'UseLogInLink'; readonly tokenHash: string } & OfMail)
  | ({ readonly type: 'AddPasskey' } & Omit<DataOf<'PasskeyAdded'>, 'addedAt'> & OfUser)
  /** `challengedAt`: when it was asked for, UTC ISO. */
  | ({
      readonly type: 'UsePasskey';
      readonly passkeyId: string;
      readonly counter: number;
      readonly challengedAt: string;
    } & OfUser)
  | ({ readonly type: 'RenamePasskey'; readonly passkeyId: string; readonly name: string } & OfUser)
  /** `hasOtherWay`: a password, or emails with codes. */
  | ({
      readonly type: 'RemovePasskey';
      readonly passkeyId: string;
      readonly reason: RemovalOfWay;
      readonly hasOtherWay: boolean;
    } & OfUser)
  | ({ readonly type: 'LinkIdentity' } & Omit<DataOf<'IdentityLinked'>, 'linkedAt'> & OfUser)
  | ({ readonly type: 'UseIdentity'; readonly identityId: string; readonly email: string | null } & OfUser)
  | ({
      readonly type: 'UnlinkIdentity';
      readonly identityId: string;
      readonly reason: RemovalOfWay;
      readonly hasOtherWay: boolean;
    } & OfUser)
  | ({ readonly type: 'CloseLogIn' } & OfUser);

type Command<Type extends LogInCommand['type']> = Extract<LogInCommand, { readonly type: Type }>;

export const MOST_PASSKEYS = 20;
export const MOST_IDENTITIES = 20;

const NONE = {
  mails: [],
  wrongCodes: { day: '', count: 0 },
  passkeys: {},
  identities: {},
} as const;

/** Kept in memory because each log-in adds events. */
export const logInDecider: Decider<LogInState, LogInCommand, LogInEvent> = {
  initialState: () => ({ ...NONE, closed: false }),
  evolve,
  decide,
  keptFrom: 100,
};

function evolve(state: LogInState, event: LogInEvent): LogInState {
  switch (event.type) {
    case 'LogInMailAsked':
      return { ...state, mails: mailAsked(state.mails, event.data) };
    case 'LogInMailIssued':
      return { ...state, mails: withMail(state.mails, event.data.requestId, (mail) => mailIssued(mail, event.data)) };
    case 'LogInCodeRefused': {
      const { requestId, knownBrowser, refusedAt } = event.data;
      return {
        ...state,
        mails: withMail(state.mails, requestId, (mail) => ({ ...mail, wrong: mail.wrong + 1 })),
        wrongCodes: knownBrowser ? state.wrongCodes : oneMoreWrong(state.wrongCodes, refusedAt),
      };
    }
    case 'LogInMailUsed':
      return {
        ...state,
        mails: withMail(state.mails, event.data.requestId, (mail) => ({ ...mail, isOpen: false })),
      };
    case 'PasskeyAdded': {
      const { userId: _, ...passkey } = event.data;
      return { ...state, passkeys: { ...state.passkeys, [passkey.passkeyId]: { ...passkey, lastUsedAt: null } } };
    }
    case 'PasskeyUsed': {
      const { passkeyId, counter, usedAt: lastUsedAt } = event.data;
      return { ...state, passkeys: withOne(state.passkeys, passkeyId, { counter, lastUsedAt }) };
    }
    case 'PasskeyRenamed':
      return { ...state, passkeys: withOne(state.passkeys, event.data.passkeyId, { name: event.data.name }) };
    case 'PasskeyRemoved': {
      const { [event.data.passkeyId]: _, ...passkeys } = state.passkeys;
      return { ...state, passkeys };
    }
    case 'IdentityLinked': {
      const { userId: _, ...identity } = event.data;
      return {
        ...state,
        identities: { ...state.identities, [identity.identityId]: { ...identity, lastUsedAt: null } },
      };
    }
    case 'IdentityUsed': {
      const { identityId, email, usedAt: lastUsedAt } = event.data;
      return { ...state, identities: withOne(state.identities, identityId, { email, lastUsedAt }) };
    }
    case 'IdentityUnlinked': {
      const { [event.data.identityId]: _, ...identities } = state.identities;
      return { ...state, identities };
    }
    case 'LogInClosed':
      return { ...NONE, closed: true };
    default:
      event satisfies never;
      return state;
  }
}

const withMail = (
  mails: readonly LogInMail[],
  requestId: string,
  change: (mail: LogInMail) => LogInMail,
): readonly LogInMail[] => mails.map((mail) => (mail.requestId === requestId ? change(mail) : mail));

function withOne<Way>(ways: Readonly<Record<string, Way>>, id: string, change: Partial<Way>) {
  const way = ways[id];
  return way ? { ...ways, [id]: { ...way, ...change } } : ways;
}

function decide(command: LogInCommand, state: LogInState): readonly LogInEvent[] {
  if (command.type === 'CloseLogIn')
    return state.closed ? [] : [{ type: 'LogInClosed', data: { userId: command.userId, closedAt: command.at } }];
  if (state.closed) throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  switch (command.type) {
    case 'AskForLogInMail':
      return askForMail(command, state);
    case 'IssueLogInMail':
      return issueMail(command, state);
    case 'EnterLogInCode':
      return enterCode(command, state);
    case 'UseLogInLink':
      return applyLink(command, state);
    case 'AddPasskey':
      return addPasskey(command, state);
    case 'UsePasskey':
      return notePasskey(command, state);
    case 'RenamePasskey':
      return renamePasskey(command, state);
    case 'RemovePasskey':
      return removePasskey(command, state);
    case 'LinkIdentity':
      return linkIdentity(command, state);
    case 'UseIdentity':
      return noteIdentity(command, state);
    case 'UnlinkIdentity':
      return unlinkIdentity(command, state);
    default:
      return unreachable(command);
  }
}

/** Beyond the limit, does nothing and reports no error: the response must not reveal whether an account exists. */
function askForMail(
  { userId, requestId, browserHash, knownBrowser, unproven, at }: Command<'AskForLogInMail'>,
  { mails, wrongCodes }: LogInState,
): readonly LogInEvent[] {
  if (mails.some((mail) => mail.requestId === requestId) || !mayAskForMail(mails, knownBrowser, at)) return [];
  const data = {
    userId,
    requestId,
    browserHash,
    ...(knownBrowser ? { knownBrowser: true as const } : {}),
    ...(!knownBrowser && areCodesOff(wrongCodes, at) ? { withoutCode: true as const } : {}),
    ...(unproven ? { unproven: true as const } : {}),
    askedAt: at,
    expiresAt: mailExpiry(at),
  };
  return [{ type: 'LogInMailAsked', data }];
}

function issueMail(
  { type: _, at, ...issued }: Command<'IssueLogInMail'>,
  { mails }: LogInState,
): readonly LogInEvent[] {
  const mail = mails.find(({ requestId }) => requestId === issued.requestId);
  if (!mail?.isOpen || at >= mail.expiresAt) return [];
  return [{ type: 'LogInMailIssued', data: { ...issued, issuedAt: at } }];
}

/** The email whose code this browser may enter. @throws DomainError LOG_IN_CODE_INVALID */
export function mailToEnter(
  { mails, wrongCodes }: LogInState,
  { browserHash, emailSince, at }: Pick<Command<'EnterLogInCode'>, 'browserHash' | 'emailSince' | 'at'>,
): LogInMail {
  const mail = mailOfBrowser(mails, browserHash, { at, emailSince });
  if (!mail || !takesCodes(mail, wrongCodes, at)) throw codeInvalid();
  return mail;
}

/** A wrong code is recorded, not refused: the caller refuses it once that is written. */
function enterCode(command: Command<'EnterLogInCode'>, state: LogInState): readonly LogInEvent[] {
  const { userId, isRight, at } = command;
  const mail = mailToEnter(state, command);
  const { requestId } = mail;
  if (isRight) return [{ type: 'LogInMailUsed', data: { userId, requestId, by: 'code', usedAt: at } }];
  const known = mail.knownBrowser ? { knownBrowser: true as const } : {};
  return [{ type: 'LogInCodeRefused', data: { userId, requestId, ...known, refusedAt: at } }];
}

function applyLink(
  { userId, tokenHash, emailSince, at }: Command<'UseLogInLink'>,
  { mails }: LogInState,
): readonly LogInEvent[] {
  const mail = mailOfLink(mails, tokenHash, { at, emailSince });
  if (!mail) throw linkInvalid();
  return [{ type: 'LogInMailUsed', data: { userId, requestId: mail.requestId, by: 'link', usedAt: at } }];
}

function addPasskey(
  { type: _, at, ...passkey }: Command<'AddPasskey'>,
  { passkeys }: LogInState,
): readonly LogInEvent[] {
  if (Object.hasOwn(passkeys, passkey.passkeyId)) return [];
  if (Object.values(passkeys).some(({ credentialId }) => credentialId === passkey.credentialId))
    throw new DomainError('PASSKEY_EXISTS', 'This passkey is already in your account.');
  if (Object.keys(passkeys).length >= MOST_PASSKEYS)
    throw new DomainError('TOO_MANY_PASSKEYS', `An account has at most ${MOST_PASSKEYS} passkeys. Remove one first.`);
  return [{ type: 'PasskeyAdded', data: { ...passkey, addedAt: at } }];
}

/**
 * Passkeys that are synced between devices always say 0. A counter that does not grow otherwise means that the passkey
 * was copied. An answer counts once: what was asked before the last use was answered then, or is no longer needed.
 */
function notePasskey(
  { userId, passkeyId, counter, challengedAt, at }: Command<'UsePasskey'>,
  { passkeys }: LogInState,
): readonly LogInEvent[] {
  const passkey = passkeys[passkeyId];
  if (!passkey) throw passkeyInvalid();
  const isCounted = counter !== 0 || passkey.counter !== 0;
  if (isCounted && counter <= passkey.counter) throw passkeyInvalid();
  if (passkey.lastUsedAt !== null && challengedAt <= passkey.lastUsedAt) throw passkeyInvalid();
  // Clocks of several machines differ.
  const usedAt = challengedAt > at ? challengedAt : at;
  return [{ type: 'PasskeyUsed', data: { userId, passkeyId, counter, usedAt } }];
}

function renamePasskey(
  { userId, passkeyId, name, at }: Command<'RenamePasskey'>,
  { passkeys }: LogInState,
): readonly LogInEvent[] {
  const passkey = passkeys[passkeyId];
  if (!passkey) throw passkeyNotFound();
  return passkey.name === name ? [] : [{ type: 'PasskeyRenamed', data: { userId, passkeyId, name, renamedAt: at } }];
}

function removePasskey(
  { userId, passkeyId, reason, hasOtherWay, at }: Command<'RemovePasskey'>,
  { passkeys, identities }: LogInState,
): readonly LogInEvent[] {
  if (!Object.hasOwn(passkeys, passkeyId)) throw passkeyNotFound();
  const others = Object.keys(passkeys).length - 1 + Object.keys(identities).length;
  if (reason === 'owner' && others === 0 && !hasOtherWay)
    throw new DomainError(
      'LAST_WAY_IN',
      'This passkey is your only way to log in. Set a password or add another way first.',
    );
  return [{ type: 'PasskeyRemoved', data: { userId, passkeyId, reason, removedAt: at } }];
}

function linkIdentity(
  { type: _, at, ...identity }: Command<'LinkIdentity'>,
  { identities }: LogInState,
): readonly LogInEvent[] {
  if (Object.hasOwn(identities, identity.identityId)) return [];
  if (Object.keys(identities).length >= MOST_IDENTITIES)
    throw new DomainError(
      'TOO_MANY_IDENTITIES',
      `An account has at most ${MOST_IDENTITIES} identities. Remove one first.`,
    );
  return [{ type: 'IdentityLinked', data: { ...identity, linkedAt: at } }];
}

function noteIdentity(
  { userId, identityId, email, at }: Command<'UseIdentity'>,
  { identities }: LogInState,
): readonly LogInEvent[] {
  if (!Object.hasOwn(identities, identityId)) throw identityNotFound();
  return [{ type: 'IdentityUsed', data: { userId, identityId, email, usedAt: at } }];
}

function unlinkIdentity(
  { userId, identityId, reason, hasOtherWay, at }: Command<'UnlinkIdentity'>,
  { passkeys, identities }: LogInState,
): readonly LogInEvent[] {
  if (!Object.hasOwn(identities, identityId)) throw identityNotFound();
  const others = Object.keys(identities).length - 1 + Object.keys(passkeys).length;
  if (reason === 'owner' && others === 0 && !hasOtherWay)
    throw new DomainError(
      'single_identity_not_deletable',
      'This is your only way to log in. Set a password or add another way first.',
    );
  return [{ type: 'IdentityUnlinked', data: { userId, identityId, reason, unlinkedAt: at } }];
}

/** One error for every code that does not work, whatever the cause, also where no account exists. */
export const codeInvalid = (): DomainError =>
  new DomainError('LOG_IN_CODE_INVALID', 'That code isn’t right, or it no longer works. You can ask for a new one.');

export const linkInvalid = (): DomainError =>
  new DomainError('LOG_IN_LINK_INVALID', 'This link has expired or was already used. You can ask for a new one.');

export const passkeyInvalid = (): DomainError =>
  new DomainError('PASSKEY_INVALID', 'This passkey can’t be used here. Try another way to log in.');

export const passkeyNotFound = (): DomainError => new DomainError('PASSKEY_NOT_FOUND', 'There is no such passkey.');

export const identityNotFound = (): DomainError =>
  new DomainError('identity_not_found', 'There is no such identity in your account.');
