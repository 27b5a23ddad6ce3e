import type { ProofRule } from '../../domain/policy/emailProof.ts';
import type { HttpConfig } from './deps.ts';

type Config = Pick<HttpConfig, 'mail' | 'mailIsKept' | 'unlimited' | 'proofsSince' | 'demoAdmin'>;

/** When accounts must prove their email addresses on this installation. */
export const proofRuleOf = ({
  mail,
  mailIsKept,
  unlimited,
  proofsSince = null,
  demoAdmin = null,
}: Config): ProofRule => ({
  deliversMail: mail && !mailIsKept,
  unlimited,
  since: proofsSince,
  demoAdmin,
});
