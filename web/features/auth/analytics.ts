/** Events for a site's own analytics: nothing leaves this page unless its operator has added a `dataLayer`. */

interface Measured {
  dataLayer?: unknown[];
}

type AuthenticationEvent = 'login' | 'signup' | 'logout';

/** With the user's id, null after they left; never an email. */
export function recordAuthentication(action: AuthenticationEvent, userId: string | null): void {
  const { dataLayer } = globalThis as Measured;
  if (Array.isArray(dataLayer)) dataLayer.push({ event: action, category: 'authentication', user_id: userId });
}
