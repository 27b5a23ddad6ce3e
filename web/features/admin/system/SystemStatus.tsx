import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { MonitoringView, ServiceView } from '../../../../src/http/contract/admin/system.ts';
import type { JobStatus } from '../../../../src/model/jobs.ts';
import type { LlmProvider } from '../../../../src/model/system.ts';
import { adminJobPath, adminUserPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Card } from '../../../ui/Card.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count, cutMiddle, grouped, hostWithoutWww } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { useGetMonitoringQuery } from './systemApi.ts';
import { memoryText, SERVICE_TONES, SERVICE_WORDS, uptimeText } from './wording.ts';

type StatusLabel = (status: JobStatus) => string;

/** Active users, running jobs and service health. */
export function SystemStatus({ statusLabel }: { statusLabel: StatusLabel }) {
  const query = useGetMonitoringQuery(undefined, { ...ADMIN_POLLING, refetchOnMountOrArgChange: true });
  return (
    <AdminAnswer query={query} title="Error loading system status" textOf={() => 'Failed to fetch monitoring data'}>
      {(data) => (
        <>
          {query.fulfilledTimeStamp !== undefined && (
            <p className="text-sm text-muted">
              As of <RelativeTime iso={new Date(query.fulfilledTimeStamp).toISOString()} />
            </p>
          )}
          <Services apiStatus={data.apiStatus} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <ActiveUsers activeUsers={data.activeUsers} />
            <ActiveJobs activeJobs={data.activeJobs} statusLabel={statusLabel} />
          </div>
          <Health systemHealth={data.systemHealth} />
        </>
      )}
    </AdminAnswer>
  );
}

const PROVIDER_NAMES: Readonly<Record<LlmProvider, string>> = {
  grok: 'Grok',
  openai_compatible: 'Language model',
  built_in: 'Built-in analyst',
};

function Services({ apiStatus: { mcpServer, supabase, stripe, llmProviders } }: Pick<MonitoringView, 'apiStatus'>) {
  const providers = Object.entries(llmProviders.providers) as [
    LlmProvider,
    NonNullable<(typeof llmProviders.providers)[LlmProvider]>,
  ][];
  return (
    <Card title="Services">
      <ul className="divide-y divide-line">
        <Service name="Auth, events and realtime" service={supabase} />
        <Service name="Stripe" service={stripe} note={stripe.mode && `${stripe.mode} mode`} />
        <Service name="MCP server" service={mcpServer}>
          {mcpServer.tools.length > 0 && <ToolCalls tools={mcpServer.tools} />}
        </Service>
        {providers.map(([name, provider]) => (
          <Service
            key={name}
            name={PROVIDER_NAMES[name]}
            service={{ ...provider, checked_at: provider.last_success_at, latency_ms: null }}
            note={[
              name === llmProviders.current_provider && 'in use',
              provider.model,
              provider.fallback_rate !== null &&
                `${Math.round(provider.fallback_rate * 100)}% written by the built-in analyst instead`,
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </ul>
    </Card>
  );
}

type McpServerView = MonitoringView['apiStatus']['mcpServer'];

/** What assistants called in the process that answered. */
function ToolCalls({ tools }: Pick<McpServerView, 'tools'>) {
  return (
    <details className="basis-full">
      <summary className="cursor-pointer text-sm text-muted">Calls by tool</summary>
      <ul aria-label="Calls by tool" className="mt-2 grid gap-x-6 sm:grid-cols-2">
        {tools.map(({ tool, answered, refused, failed }) => (
          <li
            key={tool}
            className="flex flex-wrap items-center justify-between gap-x-2 border-b border-line py-1 text-sm text-muted tabular-nums"
          >
            <span className="font-mono text-normal">{tool}</span>
            <span>
              {count(answered + refused + failed, 'call')}, {grouped(refused)} refused, {grouped(failed)} failed
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

type ServiceProps = {
  readonly name: string;
  readonly service: ServiceView;
  readonly note?: string | null;
  readonly children?: ReactNode;
};

function Service({ name, service, note, children }: ServiceProps) {
  const { status, detail, latency_ms: latency, checked_at: checkedAt } = service;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="font-medium text-strong">{name}</span>
      <Badge tone={SERVICE_TONES[status]}>{SERVICE_WORDS[status]}</Badge>
      {note && <span className="text-sm text-normal">{note}</span>}
      {detail && <span className="text-sm text-muted wrap-anywhere">{detail}</span>}
      {checkedAt !== null && (
        <span className="text-sm text-muted sm:ml-auto">
          {latency !== null && `${grouped(Math.round(latency))} ms · `}
          <RelativeTime iso={checkedAt} />
        </span>
      )}
      {children}
    </li>
  );
}

function ActiveUsers({ activeUsers: { count, timeWindow, users } }: Pick<MonitoringView, 'activeUsers'>) {
  return (
    <Card title="Active users">
      <Figure number={count}>in the last {timeWindow} minutes</Figure>
      <ul aria-label="Active users" className="mt-2 max-h-80 divide-y divide-line overflow-y-auto">
        {users.map((user) => (
          <li key={user.auth_user_id} className="py-2">
            <Link to={adminUserPath(user.auth_user_id)} className="underline-offset-2 wrap-anywhere hover:underline">
              {user.display_name || user.email}
            </Link>
            {user.display_name && <p className="text-sm text-muted wrap-anywhere">{user.email}</p>}
          </li>
        ))}
      </ul>
      <More shown={users.length} all={count} />
    </Card>
  );
}

function ActiveJobs({
  activeJobs: { total, byStatus, jobs },
  statusLabel,
}: Pick<MonitoringView, 'activeJobs'> & { statusLabel: StatusLabel }) {
  return (
    <Card title="Active jobs">
      <Figure number={total}>under way</Figure>
      {total > 0 && (
        <ul aria-label="Active jobs by status" className="mt-2 flex flex-wrap gap-1">
          {(Object.entries(byStatus) as [JobStatus, number][]).map(([status, number]) => (
            <li key={status}>
              <Badge tone="info">
                {statusLabel(status)} {grouped(number)}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      <ul aria-label="Active jobs" className="mt-2 max-h-80 divide-y divide-line overflow-y-auto">
        {jobs.map((job) => (
          <li key={job.id} className="flex flex-wrap items-baseline gap-x-3 py-2">
            <Link
              to={adminJobPath(job.id)}
              title={job.url}
              className="underline-offset-2 wrap-anywhere hover:underline"
            >
              {cutMiddle(hostWithoutWww(URL.parse(job.url)?.host ?? job.url), 40)}
            </Link>
            <span className="text-sm text-normal">{statusLabel(job.status)}</span>
            <span className="text-sm text-muted wrap-anywhere">{job.userName || job.userEmail}</span>
            <RelativeTime iso={job.createdAt} className="text-sm text-muted sm:ml-auto" />
          </li>
        ))}
      </ul>
      <More shown={jobs.length} all={total} />
    </Card>
  );
}

function Health({ systemHealth: { uptime, memoryUsage, process } }: Pick<MonitoringView, 'systemHealth'>) {
  return (
    <Card title="This process">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="Uptime">{uptimeText(uptime)}</Fact>
        <Fact name="Memory">
          {memoryText(memoryUsage.heapUsed)} of {memoryText(memoryUsage.heapTotal)}
        </Fact>
        <Fact name="Role">{process.role}</Fact>
        <Fact name="Process">
          <span className="font-mono text-sm">{process.id.slice(0, 8)}</span>
        </Fact>
      </dl>
    </Card>
  );
}

function Figure({ number, children }: { number: number; children: ReactNode }) {
  return (
    <p>
      <span className="text-xl font-medium text-strong tabular-nums">{grouped(number)}</span>{' '}
      <span className="text-muted">{children}</span>
    </p>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-strong tabular-nums">{children}</dd>
    </div>
  );
}

function More({ shown, all }: { shown: number; all: number }) {
  if (all <= shown) return null;
  return (
    <p className="pt-2 text-sm text-muted">
      The newest {grouped(shown)} of {grouped(all)} are shown.
    </p>
  );
}
