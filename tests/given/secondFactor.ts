/** Turns on two-factor authentication for tests, and generates the codes of an app. */

import { Secret, TOTP } from 'otpauth';
import type { CommandContext } from '../../src/commands/context.ts';
import { handle } from '../../src/commands/handle.ts';
import { removeSecondFactor } from '../../src/commands/secondFactor/secondFactor.ts';
import { secondFactorStream } from '../../src/domain/secondFactor/events.ts';
import { secondFactorDecider } from '../../src/domain/secondFactor/secondFactor.ts';
import type { TestApp, TestUser } from './product/http.ts';

/** The code of an authenticator app for the secret at that time, or the given number of steps later. */
export const codeOf = (secret: string, at: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: Date.parse(at) + later * 30_000,
  });

/** Without an app: it cannot be used to log in. */
export async function turnSecondFactor(
  ctx: CommandContext,
  { userId, on }: { readonly userId: string; readonly on: boolean },
): Promise<void> {
  if (!on) return void (await removeSecondFactor(ctx, { userId, reason: 'owner' }));
  const [stream, enrolmentId, at] = [secondFactorStream(userId), `enrolment-${ctx.commandId}`, ctx.now()];
  await handle(ctx, secondFactorDecider, stream, {
    type: 'BeginEnrolment',
    userId,
    enrolmentId,
    sealedSecret: 'sealed',
    at,
  });
  await handle(ctx, secondFactorDecider, stream, {
    type: 'ConfirmEnrolment',
    userId,
    enrolmentId,
    step: 1,
    recoveryCodeHashes: ['hash'],
    at,
  });
}

export type Enrolled = { readonly secret: string; readonly recoveryCodes: readonly string[] };

/** As its owner does it. */
export async function enrolled(app: TestApp, user: TestUser): Promise<Enrolled> {
  const begun = await user.call('POST', '/api/v1/auth/mfa/enrol', { password: user.password });
  const { secret } = begun.body.data;
  const confirmed = await user.call('POST', '/api/v1/auth/mfa/confirm', { code: codeOf(secret, app.deps.now()) });
  if (confirmed.status !== 200) throw new Error(`the first code was answered ${confirmed.status}: ${confirmed.text}`);
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes };
}
