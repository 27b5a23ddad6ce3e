import * as z from 'zod';

/**
 * `jobs`, `reworks` and `exports` (the user's own rows), `actions:{jobId}`, `billing`, `admin:jobs` and `admin:changes`
 * (admins).
 */
const Channel = z.string().regex(/^(jobs|reworks|exports|billing|admin:(?:jobs|changes)|actions:[A-Za-z0-9_-]{1,80})$/);

export const ClientMessage = z.discriminatedUnion('type', [
  /** The first message must be this or `visit`, since tokens never appear in URLs. */
  z.strictObject({ type: z.literal('auth'), token: z.string().min(1).max(500) }),
  /**
   * Sent by a visitor with a shared link, to be notified when the link ends. Nothing else can be requested on such a
   * socket.
   */
  z.strictObject({ type: z.literal('visit'), token: z.string().min(1).max(200) }),
  /** With `since`, first sends everything that changed after that position, then live changes. */
  z.strictObject({
    type: z.literal('subscribe'),
    channel: Channel,
    since: z
      .string()
      .regex(/^\d{20}$/)
      .optional(),
  }),
  z.strictObject({ type: z.literal('unsubscribe'), channel: Channel }),
  z.strictObject({ type: z.literal('ping') }),
  z.strictObject({ type: z.literal('pong') }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Response to `visit`: the link is open. Sent again when its audit is unlocked and it shows all of it. */
  z.object({ type: z.literal('visiting'), isPreview: z.boolean() }),
  /** The link of a visit is not or no longer open; the socket closes. */
  z.object({ type: z.literal('ended') }),
  /**
   * Response to `subscribe`, once everything since the requested position has been sent; `position` is the channel's
   * current position.
   */
  z.object({ type: z.literal('subscribed'), channel: Channel, position: z.string() }),
  z.object({
    type: z.literal('event'),
    channel: Channel,
    table: z.enum(['jobs', 'reworks', 'exports', 'actions', 'billing', 'changes']),
    eventType: z.enum(['INSERT', 'UPDATE', 'DELETE']),
    /** The same view as in the HTTP API; null with DELETE. Of `changes`: the names of the figures to fetch again. */
    new: z.record(z.string(), z.unknown()).nullable(),
    /** With DELETE: contains at least the id. */
    old: z.record(z.string(), z.unknown()).nullable(),
    position: z.string(),
  }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), code: z.string(), channel: z.string().optional() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
