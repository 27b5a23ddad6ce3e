/** The server as a program: configuration, startup, a banner, and a clean stop. */
import pino from 'pino';
import { logOptions } from '../http/request/log.ts';
import { banner } from './banner.ts';
import { type RunningApp, startApp } from './compose.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';

/** Delay after startup before loading what only audits need, ms: neither startup nor the first audit waits for it. */
const ENGINE_AFTER_MS = 1_000;
/** After this a stop is forced, ms. */
const STOP_MS = 15_000;

type Start = (config: Config, log: pino.Logger) => Promise<RunningApp>;

/** Starts and stays until a signal ends it. `start`: with other parts than the configured ones. */
export const run = (start: Start = startApp): Promise<void> => main(start).catch(fail);

async function main(start: Start): Promise<void> {
  const config = loadConfig(process.env);
  // Its files are readable only by its own user.
  process.umask(0o077);
  const log = pino(logOptions(config.LOG_LEVEL));
  const app = await start(config, log);
  // Before anybody knows its address: from then on it may be asked to stop.
  stopOnSignals(app);
  // Whoever started it may have stopped reading, which is no reason to end.
  process.stdout.on('error', () => undefined);
  process.stdout.write(banner(app, config));
  if (app.role === 'all' || app.role === 'worker') setTimeout(loadEngine, ENGINE_AFTER_MS).unref();
}

/** A loading error is reported by the first audit. */
function loadEngine(): void {
  import('../workers/auditSteps.ts').catch(() => undefined);
}

function stopOnSignals(app: RunningApp): void {
  let isStopping = false;
  const stop = (signal: string): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    process.stderr.write(`\n${signal}: stopping (again to force) …\n`);
    setTimeout(() => process.exit(1), STOP_MS).unref();
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
}

function fail(error: unknown): never {
  process.stderr.write(
    `${error instanceof ConfigError || hasCode(error) ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}

/** Errors that explain themselves: a file held by another process, no free port. */
function hasCode(error: unknown): error is Error {
  return error instanceof Error && 'code' in error;
}
