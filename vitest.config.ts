import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { MONGOD } from './tests/given/requirements.ts';

// Limits for a machine that is busy with something else; no test waits for a time.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 };
/**
 * Node loads packages itself. Otherwise Vitest would also load those in whose path it sees a folder `es` or `esm`, even
 * one above the checkout: a package that is loaded twice does not know its own classes.
 */
const onNode = { environment: 'node' as const, server: { deps: { external: [/\/node_modules\//] } } };
/** 1.5 per core: most tests wait for a socket, a file, or a browser now and then. */
const MORE_THAN_CORES = Math.ceil(1.5 * availableParallelism());
const everywhere = { ...timeouts, maxWorkers: MORE_THAN_CORES } as const;

/**
 * Files that mock modules, count connections, or need a fresh process run isolated. All other files share module state.
 */
const ALONE = [
  'tests/audit/hostileRobots.test.ts',
  'tests/audit/hostileWork.test.ts',
  'tests/integrations/fetcher/entryPoints.test.ts',
  'tests/servers/stripeMock.test.ts',
  'tests/start/roles.test.ts',
  'tests/start/starting.test.ts',
];
const WEB_ALONE = ['tests/web/app/sso.test.tsx', 'tests/web/features/account/passkeys.test.tsx'];
const WEB_FILES = ['tests/web/**/*.test.tsx', 'tests/web/**/*.test.ts'];
const ON_THE_WEB = {
  plugins: [react()],
  resolve: {
    alias: [
      {
        find: /^\.\/CodeEditor\.tsx$/,
        replacement: fileURLToPath(new URL('tests/web/given/plainEditor.tsx', import.meta.url)),
      },
    ],
  },
};
const WEB_TESTS = { environment: './tests/web/environment.ts', setupFiles: ['tests/web/setup.ts'], ...everywhere };
const KILLS = ['backlog', 'billing', 'history', 'killLoop', 'processes', 'work'].map(
  (name) => `tests/e2e/${name}.test.ts`,
);

export default defineConfig({
  test: {
    // CI reads the JSON report; a person reads the default one.
    reporters: process.env.TEST_JSON_REPORT
      ? ['default', ['json', { outputFile: process.env.TEST_JSON_REPORT }]]
      : ['default'],
    // Projects transform the same sources: each once, for all of them and for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        // Workers keep loaded modules from file to file: no module here has state outside its tests.
        test: {
          name: 'node',
          ...onNode,
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/web/**', 'tests/e2e/**', ...ALONE],
          setupFiles: ['tests/setup.ts'],
          globalSetup: ['tests/buildFirst.ts'],
          isolate: false,
          ...everywhere,
        },
      },
      {
        test: { name: 'alone', ...onNode, include: ALONE, setupFiles: ['tests/setup.ts'], ...everywhere },
      },
      {
        ...ON_THE_WEB,
        test: { ...WEB_TESTS, name: 'web', include: WEB_FILES, exclude: WEB_ALONE, isolate: false },
      },
      { ...ON_THE_WEB, test: { ...WEB_TESTS, name: 'web alone', include: WEB_ALONE } },
      {
        // Servers in processes of their own, and browsers: after the rest, so that they have the cores.
        test: {
          name: 'e2e',
          ...onNode,
          include: ['tests/e2e/**/*.test.ts'],
          exclude: KILLS,
          globalSetup: ['tests/buildFirst.ts'],
          // One browser for all files of a worker (`tests/given/product/browser.ts`).
          isolate: false,
          maxWorkers: MORE_THAN_CORES,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        // Many processes are killed and paused: one file per core, nothing else running. With more, processes miss
        // their deadlines and restart. Without the production stores each file has a single process, and none can miss
        // a deadline.
        test: {
          name: 'kills',
          ...onNode,
          include: KILLS,
          globalSetup: ['tests/buildFirst.ts'],
          isolate: false,
          ...(existsSync(MONGOD)
            ? { ...timeouts, maxWorkers: availableParallelism(), sequence: { groupOrder: 2 } }
            : { ...everywhere, sequence: { groupOrder: 1 } }),
        },
      },
    ],
  },
});
