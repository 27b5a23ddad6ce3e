/**
 * The log of security events: who got in, who was refused, and what changed about somebody's access. Its lines are
 * written whatever `LOG_LEVEL` says, so their number is bounded: an event, a network and a minute have at most one
 * line, with a count, and an event has lines for so many networks at a time; all others share one. What a line does not
 * say is counted in the next.
 */
import type { Logger } from 'pino';
import { addressKey } from '../request/rateLimits.ts';

/** With the text of their lines. */
export const SECURITY_EVENTS = {
  login: 'logged in',
  step_up: 'second factor shown in an open session',
  login_refused: 'log-in refused',
  login_limited: 'too many log-ins',
  second_factor_refused: 'code refused',
  second_factor_limited: 'too many codes',
  password_refused: 'a logged-in user’s password was refused',
  password_limited: 'too many passwords of a logged-in user',
  disabled_account_refused: 'a disabled account was refused',
  signup: 'signed up',
  logout: 'logged out',
  logout_everywhere: 'logged out everywhere',
  session_ended: 'session ended by its owner',
  session_reused: 'a replaced refresh token was used again: its session was ended',
  log_in_mail_requested: 'log-in email requested',
  reset_requested: 'password reset requested',
  reset_refused: 'password reset link refused',
  password_reset: 'password reset',
  password_changed: 'password changed',
  email_changed: 'address changed',
  email_confirmed: 'address confirmed',
  confirmation_refused: 'confirmation link refused',
  second_factor_on: 'two-factor authentication turned on',
  second_factor_off: 'two-factor authentication turned off',
  passkey_added: 'a passkey was added',
  passkey_removed: 'a passkey was removed',
  identity_added: 'an identity at a provider was added',
  identity_removed: 'an identity at a provider was removed',
  api_key_created: 'an API key was created',
  api_key_revoked: 'an API key was revoked',
  api_key_refused: 'an API key was refused',
  admin_granted: 'the right to administer was granted',
  admin_revoked: 'the right to administer was withdrawn',
  admin_refused: 'a request for admins was refused',
  access_refused: 'something of another user was requested and refused',
  account_enabled: 'an account was enabled by an admin',
  account_disabled: 'an account was disabled by an admin',
  sessions_ended: 'sessions of a user were ended by an admin',
  account_exported: 'an export of an account was requested',
  account_deleted: 'an account was deleted',
  rate_limited: 'too many requests',
  origin_refused: 'a socket from another site was refused',
  webhook_refused: 'a webhook of the payment provider was refused',
} as const;
export type SecurityEventName = keyof typeof SECURITY_EVENTS;

/** Of the event that the line was written for. Never a password, a token or a whole email address. */
export type SecurityDetails = {
  readonly userId?: string | undefined;
  /** The masked email address that was typed. */
  readonly account?: string | undefined;
  /** Who acted, if not the user. */
  readonly adminId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly route?: string | undefined;
  readonly code?: string | undefined;
  /** The limit that was reached. */
  readonly limit?: string | undefined;
  readonly why?: string | undefined;
  /** What was shown: of a log-in its second step, of a link what came with it. */
  readonly by?: string | undefined;
  readonly requestId?: string | undefined;
};

export type SecurityLog = {
  note(event: SecurityEventName, address: string, details?: SecurityDetails): void;
  /** Writes the counts whose minute is over. Events do so, too, but only for their own kind. */
  settle(): void;
  /** Writes all counts, at the end of the process. */
  flush(): void;
};

const MINUTE_MS = 60_000;
/** Networks with lines of their own, per event. */
const MOST_NETWORKS = 10;
/** Addresses named in the line of all others. */
const MOST_NAMED = 20;

/** When its last line was written, and how many events there have been since. */
type Counted = { readonly address: string; lineAt: number; more: number };
type Others = { since: number; count: number; readonly addresses: Set<string> };
type Kind = { readonly networks: Map<string, Counted>; others: Others | null };

/** `now`: UTC ISO. */
export function createSecurityLog({
  log,
  now,
}: {
  readonly log: Pick<Logger, 'child'>;
  readonly now: () => string;
}): SecurityLog {
  // A level of its own above all others, so that even `silent` does not switch it off.
  const lines = log.child<'security'>({}, { level: 'security', customLevels: { security: 70 } });
  const kinds = new Map<SecurityEventName, Kind>();

  function write(event: SecurityEventName, fields: object, text: string = SECURITY_EVENTS[event]): void {
    lines.security({ event, ...fields }, text);
  }

  function settleKind(
    event: SecurityEventName,
    { networks, others }: Kind,
    isOver: (start: number) => boolean,
    at: number,
  ): void {
    for (const [network, counted] of networks) {
      const { address, lineAt, more } = counted;
      if (!isOver(lineAt)) continue;
      if (more === 0) networks.delete(network);
      else {
        write(event, { count: more, address, since: timeOf(lineAt) });
        counted.lineAt = at;
        counted.more = 0;
      }
    }
    const kind = kinds.get(event);
    if (!kind || !others || !isOver(others.since)) return;
    write(
      event,
      { count: others.count, addresses: [...others.addresses], since: timeOf(others.since) },
      `${SECURITY_EVENTS[event]}, from more addresses`,
    );
    kind.others = null;
  }

  // A clock that was set back ends a minute, too.
  const isMinuteOver = (at: number) => (start: number) => Math.abs(at - start) >= MINUTE_MS;

  return {
    note(event, address, details = {}) {
      const at = Date.parse(now());
      const kind: Kind = kinds.get(event) ?? { networks: new Map(), others: null };
      kinds.set(event, kind);
      settleKind(event, kind, isMinuteOver(at), at);
      const network = addressKey(address);
      const counted = kind.networks.get(network);
      if (counted) counted.more += 1;
      else if (kind.networks.size < MOST_NETWORKS) {
        kind.networks.set(network, { address, lineAt: at, more: 0 });
        write(event, { count: 1, address, ...details });
      } else {
        kind.others ??= { since: at, count: 0, addresses: new Set() };
        kind.others.count += 1;
        if (kind.others.addresses.size < MOST_NAMED) kind.others.addresses.add(address);
      }
    },
    settle() {
      const at = Date.parse(now());
      for (const [event, kind] of kinds) settleKind(event, kind, isMinuteOver(at), at);
    },
    flush() {
      const at = Date.parse(now());
      for (const [event, kind] of kinds) settleKind(event, kind, () => true, at);
      kinds.clear();
    },
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
