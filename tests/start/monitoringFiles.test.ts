/** The alerts and the dashboard in `deploy/` query metrics that `/metrics` really has. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/http/usage/metrics.ts';
import { BACKUP_LIMIT_MS, DISK_LIMIT, FAILED_MAILS_LIMIT } from '../../src/start/monitor/problems.ts';

const at = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

type Rules = {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { summary?: string; action?: string };
    }[];
  }[];
};
type Dashboard = {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
};

const rules = (parse(at('prometheus/rules.yml')) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(at('grafana/dashboard.json')) as Dashboard;

/** Added to every scrape by Prometheus itself. */
const OF_PROMETHEUS = ['up'];
const KEYWORDS = ['by', 'without', 'and', 'or', 'unless', 'on', 'ignoring'];

/** The metrics in an expression, without functions, labels, strings or keywords. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without)\s*\([^)]*\)/g, '')
    .replaceAll(/\b[a-z_]+\s*(?=\()/g, '');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*/gi)].map(([name]) => name).filter((name) => !KEYWORDS.includes(name));
}

async function typesOfAll(): Promise<readonly (readonly [name: string, type: string])[]> {
  const metrics = createMetrics();
  const text = await metrics.render({}, { kinds: [], followers: [] });
  metrics.close();
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]);
}
const ofType = async (wanted: string) =>
  (await typesOfAll()).filter(([, type]) => type === wanted).map(([name]) => name);

async function exposed(): Promise<ReadonlySet<string>> {
  return new Set(
    (await typesOfAll()).flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

describe('alerts and dashboard', () => {
  it('query only existing metrics', async () => {
    const known = await exposed();
    const named = [
      ...rules.map(({ alert, expr }) => [alert, expr] as const),
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ];
    expect(named.length).toBeGreaterThan(20);
    for (const [where, expr] of named) {
      const metrics = metricsIn(expr);
      expect([where, metrics.length > 0]).toEqual([where, true]);
      expect([where, metrics.filter((name) => !known.has(name) && !OF_PROMETHEUS.includes(name))]).toEqual([where, []]);
    }
  });

  it('show every gauge of the product', async () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    // The client library adds the process metrics.
    const gauges = (await ofType('gauge')).filter((name) => !/^(process|nodejs)_/.test(name));
    expect(gauges.length).toBeGreaterThan(10);
    expect(gauges.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('cover the problems of the system page, with the same limits', () => {
    const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr;
    expect(exprOf('ParkedEvents')).toContain('parked_documents');
    expect(exprOf('MailsFailed')).toContain(`mails_failed_today) >= ${FAILED_MAILS_LIMIT}`);
    expect(exprOf('DiskLow')).toContain(`data_disk_total_bytes * ${DISK_LIMIT.part}, ${DISK_LIMIT.bytes})`);
    expect(exprOf('BackupOld')).toContain(`> ${BACKUP_LIMIT_MS / 1_000}`);
  });

  it('explain the problem and the remedy', () => {
    for (const { alert, annotations } of rules)
      expect([alert, Boolean(annotations.summary), Boolean(annotations.action)]).toEqual([alert, true, true]);
  });
});
