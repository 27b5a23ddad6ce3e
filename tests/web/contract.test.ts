/** Constants that the web app repeats, as importing them would bring the contract's validator into the first download. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignupRequest } from '../../src/http/contract/auth.ts';
import { FINAL_STATUSES, JOB_STATUSES } from '../../src/http/contract/jobs.ts';
import { CLOSE } from '../../src/http/contract/realtime.ts';
import * as share from '../../src/http/contract/share.ts';
import { TOO_MANY } from '../../web/api/socket.ts';
import { UNAUTHORIZED } from '../../web/app/realtime.ts';
import { groupOf } from '../../web/features/jobs/jobStatus.ts';
import { GONE } from '../../web/features/sharing/shareVisit.ts';
import { EXPIRY_CHOICES, SHARED_PARTS } from '../../web/features/sharing/shareWording.ts';
import { PASSWORD_MIN_LENGTH, passwordProblems } from '../../web/ui/form/passwordRules.ts';

describe('the web app and the contract', () => {
  it('agree on the constants that both have', () => {
    const short = 'x'.repeat(PASSWORD_MIN_LENGTH - 1);
    const refused = SignupRequest.safeParse({ email: 'ada@example.com', password: short });
    expect(refused.error?.issues.map((issue) => issue.message)).toEqual([passwordProblems(short, short).password]);
    expect(SignupRequest.safeParse({ email: 'ada@example.com', password: `${short}x` }).success).toBe(true);
    expect(UNAUTHORIZED).toBe(CLOSE.unauthorized);
    expect(GONE).toBe(CLOSE.gone);
    expect(EXPIRY_CHOICES.map(([hours]) => hours)).toEqual(share.EXPIRY_CHOICES);
    expect(SHARED_PARTS).toEqual(share.SHARED_PARTS);
    expect(TOO_MANY).toEqual([CLOSE.tooManyMessages, CLOSE.tooManySockets]);
  });

  it('agree on which statuses are final', () => {
    expect(JOB_STATUSES.filter((status) => groupOf(status) !== 'processing')).toEqual(expect.arrayContaining([...FINAL_STATUSES]));
    expect(JOB_STATUSES.filter((status) => groupOf(status) !== 'processing')).toHaveLength(FINAL_STATUSES.length);
  });

  it('meet in types alone: no module of the app imports the contract to run it', () => {
    const files = readdirSync(join(import.meta.dirname, '../../web'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    expect(files.length).toBeGreaterThan(60);
    const offenders = files.filter((name) =>
      /^import (?!type )[^;]*(?:http\/contract|'zod')/m.test(readFileSync(join(import.meta.dirname, '../../web', name), 'utf8')),
    );
    expect(offenders).toEqual([]);
  });
});
