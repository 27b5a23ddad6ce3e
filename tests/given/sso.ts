/** A provider of single sign-on that says yes to everybody: what a real one says is tested at one (`tests/http/sso.test.ts`). */
import { randomUUID } from 'node:crypto';
import type { Sso } from '../../src/integrations/sso/sso.ts';

const ISSUER = 'https://login.example.com';

/** Each answer is of another person, whose address is new. */
export const givenSso: Sso = {
  providers: [
    {
      id: 'local',
      label: 'Local',
      issuer: ISSUER,
      clientId: 'workbench',
      clientSecret: 'a client secret',
      createsAccounts: true,
      domains: [],
      adminGroup: null,
      groupsClaim: 'groups',
    },
  ],
  begin: async (_provider, { state }) => `${ISSUER}/?state=${state}`,
  finish: async () => ({
    issuer: ISSUER,
    subject: randomUUID(),
    email: `${randomUUID()}@example.com`,
    emailVerified: true,
    name: '',
    groups: [],
  }),
  endSession: async () => null,
};
