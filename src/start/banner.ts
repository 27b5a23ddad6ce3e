/** What a start prints: what a user needs to get started, and which parts are built-in substitutes. */
import { join } from 'node:path';
import type { RunningApp } from './compose.ts';
import type { Config } from './config.ts';
import type { SignIn } from './demo.ts';

type Started = Omit<RunningApp, 'stop' | 'within'>;
type Settings = Pick<Config, 'PORT' | 'DATA_DIR' | 'SMTP_URL' | 'unlimited' | 'servers'>;

export function banner(app: Started, config: Settings): string {
  const what = app.role === 'all' || app.role === 'http' ? '' : `   (${app.role}: only /healthz, /readyz and /metrics)`;
  const lines = ['', `  SEO Workbench   ${app.url}${app.portTaken ? `   (port ${config.PORT} is taken)` : ''}${what}`];
  if (app.firstBecomesAdmin)
    lines.push(
      '  No admin yet    The first account to sign up becomes admin. Set ADMIN_EMAIL to choose who, before others can reach this address.',
    );
  if (app.demoAdmin) lines.push(`  Demo admin      ${app.demoAdmin.email}  ${passwordOf(app.demoAdmin)}`);
  if (app.demoSite) lines.push(`  Demo site       ${app.demoSite}   (small, with faults on purpose: submit it)`);
  lines.push(
    paymentsLine(app, config),
    '',
    config.servers ? '  Runs on:' : '  Built in, in place of outside services:',
  );
  lines.push(`    events and read models   ${app.stores}`);
  if (app.analyst === 'Built-in analyst')
    lines.push(
      '    texts of the report      rules, no language model (set LLM_BASE_URL, LLM_API_KEY, LLM_MODEL for one)',
    );
  if (config.SMTP_URL === undefined)
    lines.push(
      `    emails                   ${config.servers ? 'none are sent' : `kept in ${join(config.DATA_DIR, 'outbox')}, not sent`} (set SMTP_URL and MAIL_FROM)`,
    );
  return `${lines.join('\n')}\n\n`;
}

function passwordOf({ password, isLost }: SignIn): string {
  if (password !== null) return `password ${password}`;
  return isLost
    ? '(the file with its password, demo-admin-password, is missing: reset it with "Forgot password?")'
    : '(the password it began with has been changed)';
}

function paymentsLine({ payments }: Started, { unlimited }: Settings): string {
  if (payments)
    return `  Payments: ${payments.mode === 'sandbox' ? `sandbox (no money moves)   ${payments.sandboxUrl ?? ''}` : `Stripe, ${payments.mode} mode`}`;
  if (unlimited) return '  Payments: off   (BILLING=off: every account has everything, without limit)';
  return '  Payments: off   (only the free audits: set the STRIPE_ settings to sell more, or BILLING=off to give every account everything)';
}
