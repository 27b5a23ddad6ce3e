/** What an integrator reads first: keys, limits, live changes, webhooks. Numbers come from the constants that hold. */
import { CLOSE } from '../../model/socket.ts';
import { REALTIME_LIMITS } from '../realtime/connection.ts';
import { REALTIME_PATH } from '../realtime/realtime.ts';
import { MAX_MISSED } from '../realtime/subscription.ts';
import { JSON_LIMITS } from '../request/json.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../request/rateLimits.ts';
import { HEAD_LIMITS } from '../request/requestHead.ts';

/** `appUrl`: the public address. */
export function descriptionFor(appUrl: string): string {
  return [introduction(appUrl), conventions(), WRITES, rateLimits(), liveChanges(appUrl), WEBHOOKS].join('\n\n');
}

const introduction = (
  appUrl: string,
): string => `Submit site addresses, follow their audits, read reports and work through action items. Live changes arrive over the websocket at /api/v1/realtime.

**Your own programs.** Create an API key under Account → API and webhooks and send it as \`Authorization: Bearer seo_live_…\`. It is shown once and stored only as a hash. A key with the scope \`read\` can only read (a write gets 403 \`API_KEY_READ_ONLY\`); \`write\` can also submit and change. Keys cannot reach sessions, passwords, keys, webhooks, payments, plans or the account itself (403 \`SESSION_REQUIRED\`). Where plans are sold, new keys and webhooks need the Power plan (403 \`FEATURE_ACCESS_DENIED\`). A 429 says in \`Retry-After\` when to continue. A revoked or expired key gets 401 at once.

    curl -H 'Authorization: Bearer seo_live_…' ${appUrl}/api/v1/jobs`;

const conventions = (): string =>
  `**Conventions.** Times are UTC in ISO 8601 (\`2026-03-01T09:30:00.000Z\`), amounts of money are integers in the smallest unit of their currency (cents), and a value that is not known or does not apply is null. A list with a \`cursor\` in its answer goes on with it: repeat the request with \`cursor\` and the same filters and order; null means that this was the last page. A cursor belongs to its list, filters and order (otherwise 400 \`INVALID_CURSOR\`), and is opaque. \`position\` is a place in the log of all changes: 20 digits, larger is later. Fields of a body and parameters of a query that this document does not name are ignored, as a client should ignore unknown fields of an answer (only the creation of an API key refuses them: a misspelled expiry would make a key that never ends); a known one with an invalid value is refused (400 \`INVALID_INPUT\`).

**Sizes.** A path may have ${kB(HEAD_LIMITS.pathBytes)}, a query ${kB(HEAD_LIMITS.queryBytes)} and ${HEAD_LIMITS.parameters} parameters (otherwise 414 \`TARGET_TOO_LONG\` or 400 \`TOO_MANY_PARAMETERS\`), a header ${kB(HEAD_LIMITS.headerBytes)}, and a request ${HEAD_LIMITS.headers} headers and ${HEAD_LIMITS.cookies} cookies (431 \`HEADERS_TOO_LARGE\`). A JSON body may be nested ${JSON_LIMITS.depth} levels deep and have ${JSON_LIMITS.keys} keys and as many list items (400 \`BODY_TOO_COMPLEX\`). Texts are valid Unicode, in UTF-8 (400 \`INVALID_JSON\` or \`INVALID_TARGET\`).`;

const WRITES = `**Repeating a write.** With an \`Idempotency-Key\` (up to 255 characters that you choose, a new one for each thing you want done) a write is carried out once: the same key and body get the same answer, for 30 days. Another body gets 409 \`IDEMPOTENCY_KEY_REUSED\`. An answer with a secret that is shown once is not stored: its repeat makes nothing and gets 409 \`ALREADY_SHOWN\`, with how to replace what was made.

**Not shown yet.** What you wrote is stored when it is answered. If the lists that show it are behind, a write with a key is answered 503 \`NOT_SHOWN_YET\`: repeat it with the same key after \`Retry-After\` seconds. Without a key the answer is 202 with \`accepted: true\`, the ids of what was written, and its place in \`Location\`: do not repeat it. Reading a thing that was just made answers 503 \`NOT_SHOWN_YET\`, too; 404 means that it is not there.`;

const kB = (bytes: number): string => `${bytes / 1024} kB`;

function rateLimits(): string {
  const { address, user, apiKey, submit, verify, generate, report } = DEFAULT_RATE_LIMITS;
  return `**Rate limits.** Beyond a limit the answer is 429 \`RATE_LIMITED\`, and \`Retry-After\` says after how many seconds to continue: ${said(apiKey)} per API key, ${said(user)} per logged-in user and ${said(address)} per address. Within these, a user can make ${said(submit, 'submissions')}, ${said(verify, 'verifications')} and ${said(generate, 'requests for new texts')}; a key for reports ${said(report, 'reports')}. Log-ins are limited by account and address.`;
}

function said({ points, seconds }: RateLimits['user'], what = 'requests'): string {
  const minutes = seconds / 60;
  return `${points} ${what} ${minutes === 1 ? 'a minute' : `in ${minutes} minutes`}`;
}

function liveChanges(appUrl: string): string {
  const { authMs, pingMs, messagesPerSecond, waiting, socketsPerUser, subscriptions, maxBuffered } = REALTIME_LIMITS;
  const { origin } = new URL(appUrl);
  return `**Live changes.** Open a websocket at \`${origin.replace(/^http/, 'ws')}${REALTIME_PATH}\` with the header \`Origin: ${origin}\`. Browsers send it by themselves; a program has to set it, because any other origin, or none, gets 403 \`FORBIDDEN\` in place of the upgrade. All messages are JSON objects in text frames. The first one must come within ${authMs / 1000} seconds and carry an access token or an API key (read scope is enough; keys for reports open no socket). Once the answer is \`ready\`, subscribe:

    → {"type":"auth","token":"seo_live_…"}
    ← {"type":"ready"}
    → {"type":"subscribe","channel":"jobs","since":"00000000000000000195"}
    ← {"type":"event","channel":"jobs","table":"jobs","eventType":"UPDATE","new":{"id":"…","status":"completed",…},"old":null,"position":"00000000000000000221"}
    ← {"type":"subscribed","channel":"jobs","position":"00000000000000000221"}
    → {"type":"unsubscribe","channel":"jobs"}

Channels: \`jobs\` (your audits), \`actions:{jobId}\` (the action items of one), \`reworks\` (texts that are written again), and for sessions only \`billing\` (plan and balance), \`exports\` (the export of your account), \`admin:jobs\` and \`admin:changes\` (admins). In an \`event\`, \`eventType\` is \`INSERT\`, \`UPDATE\` or \`DELETE\`, \`new\` is the row as the HTTP API shows it (null with \`DELETE\`), and \`old\` names the row that is gone. A request that fails is answered \`{"type":"error","code":"…","channel":"…"}\`, and the socket stays open.

**Resuming.** With \`since\`, everything that changed after that position comes first, then \`subscribed\`, then live changes. Remember the largest \`position\` of each channel and give it when you subscribe again; a row may then arrive twice, so let the newest position win. Without \`since\`, load the list over HTTP after \`subscribed\`. If more than ${MAX_MISSED} rows changed since then, or your sockets resume very often, the answer is the error \`TOO_MUCH_MISSED\`: subscribe without \`since\`.

**Ping.** Every ${pingMs / 1000} seconds the server sends a websocket ping and \`{"type":"ping"}\`. Websocket libraries answer the first by themselves; a socket from which nothing has come until the next one is cut off. You may send \`{"type":"ping"}\`, too; the answer is \`{"type":"pong"}\`.

**Limits of a socket.** ${socketsPerUser} sockets per user, ${subscriptions} channels per socket, ${messagesPerSecond} messages a second, ${waiting} that wait for their turn, ${maxBuffered / 1024 / 1024} MB that you have not yet received. Close codes: 1001 the server is restarting (the reason is the position to resume from: connect again), 1003 not text, 1009 message too large, ${CLOSE.unauthorized} not authenticated in time, or the session or key has ended, ${CLOSE.tooSlow} reading too slowly (connect again with \`since\`), ${CLOSE.tooManyMessages} too many messages, ${CLOSE.tooManySockets} too many sockets. Visitors of a shared link send \`{"type":"visit","token":"…"}\` first instead; ${CLOSE.gone} says that the link has ended, ${CLOSE.notYet} that it is not shown yet (connect again).`;
}

const WEBHOOKS = `**Webhooks.** Under Account → API and webhooks you can add addresses that receive \`job.completed\` and \`action.completed\`. Each message is a POST of \`{id, type, created_at, data}\` with the headers \`X-SEO-Event\`, \`X-SEO-Delivery\` and \`X-SEO-Signature: t={unix seconds},v1={hex}\`. The signature is HMAC-SHA256 with your \`whsec_…\` secret over \`{t}.{raw body}\`; compare it in constant time and reject a \`t\` that is more than 5 minutes off. For a day after you create a new secret there are two \`v1=\` values, one for the new and one for the old secret; one match is enough. Any 2xx within 10 seconds is a success; redirects are not followed. Anything else is retried after 1 minute, 10 minutes, 1, 5 and 18 hours. If all six attempts fail and nothing else has arrived in the meantime, the webhook is switched off, and an email and your account page say so. Delivery is at least once: the same message may arrive twice, and messages may arrive in any order. Its \`X-SEO-Delivery\` (the \`id\` in the body) is the same for every attempt, so store the ids you have processed.`;
