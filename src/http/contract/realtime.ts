import { z } from 'zod';

/** `jobs` and `reworks` (own rows), `actions:{jobId}`, `billing`, `admin:jobs` (admins). */
const Channel = z.string().regex(/^(jobs|reworks|billing|admin:jobs|actions:[A-Za-z0-9_-]{1,80})$/);

export const ClientMessage = z.discriminatedUnion('type', [
  /** It or `visit` must be the first message: no token ever stands in a URL. */
  z.strictObject({ type: z.literal('auth'), token: z.string().min(1).max(500) }),
  /** By whoever has a share link: to be told when it ends. Nothing else can be asked for on such a socket. */
  z.strictObject({ type: z.literal('visit'), token: z.string().min(1).max(200) }),
  /** With `since`, first everything that changed after that position, then live. */
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
  /** Answers `visit`: the link opens now. */
  z.object({ type: z.literal('visiting') }),
  /** The link of a visit opens nothing, or no more; the socket closes. */
  z.object({ type: z.literal('ended') }),
  /** Answers `subscribe` after everything since the asked position has been sent; `position` is where the channel stands. */
  z.object({ type: z.literal('subscribed'), channel: Channel, position: z.string() }),
  z.object({
    type: z.literal('event'),
    channel: Channel,
    table: z.enum(['jobs', 'reworks', 'actions', 'billing']),
    eventType: z.enum(['INSERT', 'UPDATE', 'DELETE']),
    /** The same view that the HTTP API gives; null with DELETE. */
    new: z.record(z.string(), z.unknown()).nullable(),
    /** With DELETE: at least the id. */
    old: z.record(z.string(), z.unknown()).nullable(),
    position: z.string(),
  }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('error'), code: z.string(), channel: z.string().optional() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
