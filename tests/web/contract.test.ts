/**
 * Code shared by browser and server exists once: types in the contract, words and limits in `src/model`, which adds no
 * validator to the first download.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignupRequest } from '../../src/http/contract/auth.ts';
import { FINAL_STATUSES, groupOf, JOB_STATUSES } from '../../src/model/jobs.ts';
import { PASSWORD_MIN_LENGTH, PASSWORD_TOO_SHORT } from '../../src/model/limits.ts';
import { EXPIRY_HOURS } from '../../src/model/shares.ts';
import { EXPIRY_CHOICES } from '../../web/features/sharing/shareWording.ts';
import { passwordProblems } from '../../web/ui/form/passwordRules.ts';
import { KEYED_ROUTES, needsKey } from './given/keyedRoutes.ts';

describe('the web app and the contract', () => {
  it('refuse the same passwords with the same message', () => {
    expect(PASSWORD_TOO_SHORT).toContain(`at least ${PASSWORD_MIN_LENGTH} characters`);
    const short = 'x'.repeat(PASSWORD_MIN_LENGTH - 1);
    const refused = SignupRequest.safeParse({ email: 'ada@example.com', password: short });
    expect(refused.error?.issues.map((issue) => issue.message)).toEqual([passwordProblems(short, short).password]);
    expect(SignupRequest.safeParse({ email: 'ada@example.com', password: `${short}x` }).success).toBe(true);
  });

  it('agree on when a link may end, and on which statuses are final', () => {
    expect(EXPIRY_CHOICES.map(([hours]) => hours)).toEqual([...EXPIRY_HOURS]);
    expect(JOB_STATUSES.filter((status) => groupOf(status) !== 'processing').sort()).toEqual(
      [...FINAL_STATUSES].sort(),
    );
  });

  it('agree on which writes have an Idempotency-Key, which the fake server checks in every test', () => {
    expect(KEYED_ROUTES.length).toBeGreaterThanOrEqual(20);
    for (const route of KEYED_ROUTES) expect(route).toMatch(/^(?:POST|PUT|DELETE) \/[\w/{}-]+$/);
    expect(
      [
        'POST /api/v1/jobs/job-1/cancel',
        'PUT /api/v1/webhooks/w1',
        'POST /api/jobs/job-1/generate-executive-summary',
      ].every(needsKey),
    ).toBe(true);
    expect(['GET /api/v1/jobs/job-1', 'POST /api/v1/webhooks/w1/test', 'POST /api/v1/auth/login'].some(needsKey)).toBe(
      false,
    );
  });

  it('share types only: no module of the app imports the contract at run time', () => {
    const files = readdirSync(join(import.meta.dirname, '../../web'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name),
    );
    expect(files.length).toBeGreaterThan(60);
    const offenders = files.filter((name) =>
      /^import (?!type )[^;]*(?:http\/contract|'zod')/m.test(
        readFileSync(join(import.meta.dirname, '../../web', name), 'utf8'),
      ),
    );
    expect(offenders).toEqual([]);
  });
});
