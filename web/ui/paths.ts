/** Every address of the app. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  unsubscribe: '/unsubscribe',
  /** The pages below it are in `adminPaths.ts`. */
  admin: '/admin',
  account: '/account',
  accountApi: '/account/api',
  /** One screen; the last one is where the checkout leads back to. */
  plans: '/account/upgrade',
  subscription: '/account/subscription',
  subscriptionSuccess: '/account/subscription-success',
  sample: '/sample',
  aboutCrawler: '/about-crawler',
  actions: '/dashboard/actions',
  jobs: '/dashboard/jobs',
  shares: '/dashboard/shares',
  /** Of a link, with its token: the texts, and the dashboard. */
  share: '/share',
  shared: '/shared',
} as const;

export function actionsPath(job: { readonly id: string; readonly host?: string }, actionId?: string): string {
  const query = new URLSearchParams();
  if (job.host) query.set('domain', job.host);
  query.set('jobId', job.id);
  if (actionId) query.set('actionId', actionId);
  return `${paths.actions}?${query}`;
}

/** One job's page; `query` names its tab and what the tab shows. */
export function jobPath(jobId: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query);
  return `${paths.jobs}/${encodeURIComponent(jobId)}${search.size > 0 ? `?${search}` : ''}`;
}

/** The list that stays where it is, with the report of one job opened over it. */
export function reportSearch(current: URLSearchParams, jobId: string, file?: string): URLSearchParams {
  const query = new URLSearchParams(current);
  query.set('report', jobId);
  if (file) query.set('file', file);
  else query.delete('file');
  return query;
}
