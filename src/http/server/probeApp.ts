/** The app of a process that only serves monitoring: health and metrics. */
import Koa from 'koa';
import type { ProbeDeps } from '../deps/deps.ts';
import { errorExit, notFound } from '../request/errors.ts';
import { requestHead } from '../request/requestHead.ts';
import { probes } from './probes.ts';

export function createProbeApp(deps: ProbeDeps, stopping: () => boolean): Koa {
  const app = new Koa();
  app.on('error', (error) => deps.log.debug({ err: error }, 'an answer was cut short'));
  app.use(errorExit(deps.log));
  app.use(requestHead);
  app.use(probes(deps, stopping));
  app.use(() => {
    throw notFound();
  });
  return app;
}
