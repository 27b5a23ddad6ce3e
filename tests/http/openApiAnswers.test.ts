/**
 * Every answer of the API is one that its document names: schemathesis sends what the document allows, and what it does
 * not.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../../src/http/request/rateLimits.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { openShop } from '../given/product/shop.ts';
import { available, SCHEMATHESIS } from '../given/requirements.ts';

const PROGRAM = join(SCHEMATHESIS, 'bin', 'schemathesis');
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
];
const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_RATE_LIMITS).map((name) => [name, { points: 1e9, seconds: 60 }]),
) as unknown as RateLimits;

/** What ends the session, or the right, of the caller who tries everything. */
const ENDS_ACCESS = '/auth/(logout|change-password|update-password|mfa|sessions)|/account$|/admin/users/{userId}';

async function judged(only: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  const shop = await openShop({
    rateLimits: UNLIMITED,
    config: { reworkWaitMs: 100, freeAnalysesPerMonth: 1_000_000 },
  });
  try {
    const user = await shop.signUp();
    await shop.given(`account-${user.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: user.userId, reason: 'configured' },
    });
    await givenAnalysis(shop, user.userId);
    const program = spawn(
      'python3',
      [
        PROGRAM,
        'run',
        `${shop.url}/api/openapi.json`,
        '--header',
        `Authorization: Bearer ${user.token}`,
        ...only,
        '--checks',
        CHECKS.join(','),
        '--phases',
        'examples,coverage,fuzzing',
        '--max-examples',
        '8',
        '--seed',
        '1',
        '--continue-on-failure',
        '--no-shrink',
        '--request-timeout',
        '40',
        '--suppress-health-check',
        'all',
        '--no-color',
        '--warnings',
        'off',
      ],
      { env: { ...process.env, PYTHONPATH: SCHEMATHESIS }, cwd: SCHEMATHESIS },
    );
    let said = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const code = await new Promise<number | null>((resolve) => program.once('close', resolve));
    return { code, said };
  } finally {
    await shop.close();
  }
}

describe.skipIf(!available('schemathesis', PROGRAM))('the API answers as its document says', () => {
  it.each([
    ['whoever tries everything', ['--exclude-path-regex', ENDS_ACCESS]],
    ['whoever ends sessions and accounts', ['--include-path-regex', ENDS_ACCESS]],
  ])(
    'to %s',
    async (_, only) => {
      const { code, said } = await judged(only);
      expect(said).toMatch(/Test cases:\s+\d+ generated, \d+ passed/);
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    },
    300_000,
  );
});
