/** All paths of the app. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  confirmEmail: '/confirm-email',
  /** Of the link in an email to log in with. */
  emailLogin: '/email-login',
  /** Where providers of single sign-on lead back to, followed by their id. */
  sso: '/login/sso',
  unsubscribe: '/unsubscribe',
  /** The pages below it are in `adminPaths.ts`. */
  admin: '/admin',
  account: '/account',
  accountApi: '/account/api',
  /** One screen; the checkout returns to the last path. */
  plans: '/account/upgrade',
  subscription: '/account/subscription',
  subscriptionSuccess: '/account/subscription-success',
  sample: '/sample',
  aboutCrawler: '/about-crawler',
  actions: '/dashboard/actions',
  jobs: '/dashboard/jobs',
  shares: '/dashboard/shares',
  /** Shared links, followed by a token: the texts, and the dashboard. */
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

/** A job's page; `query` holds its tab and the tab's state. */
export function jobPath(jobId: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query);
  return `${paths.jobs}/${encodeURIComponent(jobId)}${search.size > 0 ? `?${search}` : ''}`;
}

/** A page's own view in an audit. */
export function jobPagePath(jobId: string, url: string): string {
  return `${paths.jobs}/${encodeURIComponent(jobId)}/page?${new URLSearchParams({ url })}`;
}

/** Stays on the list and opens a job's report over it. */
export function reportSearch(current: URLSearchParams, jobId: string, file?: string): URLSearchParams {
  const query = new URLSearchParams(current);
  query.set('report', jobId);
  if (file) query.set('file', file);
  else query.delete('file');
  return query;
}
