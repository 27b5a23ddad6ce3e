/** What a site's own analytics may take up: nothing leaves this page unless its operator has put a `dataLayer` there. */

interface Measured {
  dataLayer?: unknown[];
}

type AuthenticationEvent = 'login' | 'signup' | 'logout';

/** With whose it is, null when they have left; never an address. */
export function recordAuthentication(action: AuthenticationEvent, userId: string | null): void {
  const { dataLayer } = globalThis as Measured;
  if (Array.isArray(dataLayer)) dataLayer.push({ event: action, category: 'authentication', user_id: userId });
}
