/** Opens single sign-on; the library is loaded with the first log-in. */
import type { Sso } from '../integrations/sso/sso.ts';
import type { Config } from './config.ts';

/** Null: there are no providers. */
export function openSso({ SSO_PROVIDERS: providers }: Config, appUrl: string): Sso | null {
  if (providers.length === 0) return null;
  let opened: Promise<Omit<Sso, 'providers'>> | null = null;
  const open = () => {
    opened ??= import('../integrations/sso/openIdSso.ts').then(({ openIdSso }) => openIdSso({ appUrl, now: Date.now }));
    return opened;
  };
  return {
    providers,
    begin: async (...given) => (await open()).begin(...given),
    finish: async (...given) => (await open()).finish(...given),
    endSession: async (...given) => (await open()).endSession(...given),
  };
}
