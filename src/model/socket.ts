/** Close codes of the server's websockets. */
export const CLOSE = {
  notYet: 1013,
  unauthorized: 4401,
  gone: 4404,
  tooSlow: 4408,
  tooManyMessages: 4429,
  tooManySockets: 4430,
} as const;
