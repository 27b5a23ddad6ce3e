/**
 * What admins see of a user's webhook: whom it notifies. The rest of an address may hold credentials, in its path and
 * query, too.
 */
export function presentWebhookAddress(url: string): string {
  return `${new URL(url).origin}/…`;
}
