import { BATCH_MAX } from '../../model/limits.ts';
import { StatusResponse, VersionResponse } from '../contract/status.ts';
import type { HttpConfig } from '../deps/deps.ts';
import { route } from '../routing/route.ts';

const mailOf = ({ mail, mailIsKept }: HttpConfig): 'sent' | 'kept' | 'none' =>
  !mail ? 'none' : mailIsKept ? 'kept' : 'sent';

/** The web app's first request, before anyone is logged in. */
export const getStatus = route({
  method: 'GET',
  path: '/status',
  access: 'public',
  summary: 'Get what this installation is: development mode, demo site, who writes the texts, limits',
  response: StatusResponse,
  handler: async ({ deps: { config, payments, sso } }) => ({
    success: true as const,
    data: {
      auth_system: { development_mode: config.developmentMode },
      demo_site: config.demoSite,
      analyst: config.analystLabel,
      support_email: config.supportEmail,
      mail: mailOf(config),
      log_in: {
        by_mail: config.mail,
        providers: (sso?.providers ?? []).map(({ id, label }) => ({ id, label })),
      },
      payments: payments?.mode ?? ('off' as const),
      unlimited: config.unlimited,
      limits: { max_pages: config.bounds.maxPages, batch: BATCH_MAX },
    },
  }),
});

export const getVersion = route({
  method: 'GET',
  path: '/version',
  access: 'public',
  summary: 'Get the version of the product',
  response: VersionResponse,
  handler: async ({ deps }) => ({ success: true as const, version: deps.config.version }),
});
