import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { FERRETDB } from './tests/given/requirements.ts';
import { LongestFirst } from './tests/longestFirst.ts';

/** Room for what is young: with Node's 16 MB a fifth of all time goes into collecting it. The flag holds for threads that are made from here on. */
const ROOM = '--max-semi-space-size=64';
setFlagsFromString(ROOM);

// Limits for a machine that is busy with something else; no test waits for a time.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 };
/**
 * Node loads packages itself. Otherwise Vitest would also load those in whose path it sees a folder `es` or `esm`, even one above the checkout: a package that
 * is loaded twice does not know its own classes.
 */
const onNode = { environment: 'node' as const, server: { deps: { external: [/\/node_modules\//] } } };
const forks = { execArgv: [ROOM], ...timeouts };
/** Half as many again as there are cores: most tests wait for a socket, a file or a browser now and then. */
const MORE_THAN_CORES = Math.ceil(1.5 * availableParallelism());
/** With the other projects of its group. */
const everywhere = { ...forks, maxWorkers: MORE_THAN_CORES } as const;

/** What puts a module of its own in another's place, counts all connections of its process, or needs some that nobody else has used: each file has a process of its own. Everything else finds modules as the files before it left them. */
const ALONE = [
  'tests/audit/hostileRobots.test.ts',
  'tests/integrations/fetcher/entryPoints.test.ts',
  'tests/servers/stripeMock.test.ts',
  'tests/start/roles.test.ts',
  'tests/start/starting.test.ts',
];
const KILLS = ['backlog', 'billing', 'history', 'killLoop', 'processes', 'work'].map((name) => `tests/e2e/${name}.test.ts`);

export default defineConfig({
  test: {
    // CI reads the JSON report; a person reads the default one.
    reporters: process.env.TEST_JSON_REPORT ? ['default', ['json', { outputFile: process.env.TEST_JSON_REPORT }]] : ['default'],
    sequence: { sequencer: LongestFirst },
    // Projects transform the same sources: each once, for all of them and for the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        // Processes that keep what they have loaded from file to file: nothing here has a state of its own outside its tests.
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
        plugins: [react()],
        resolve: { alias: [{ find: /^\.\/CodeEditor\.tsx$/, replacement: fileURLToPath(new URL('tests/web/given/plainEditor.tsx', import.meta.url)) }] },
        test: {
          name: 'web',
          environment: './tests/web/environment.ts',
          include: ['tests/web/**/*.test.tsx', 'tests/web/**/*.test.ts'],
          setupFiles: ['tests/web/setup.ts'],
          isolate: false,
          ...everywhere,
        },
      },
      {
        // The built server in processes of its own, and browsers: after the rest, so that they have the cores.
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
          ...forks,
        },
      },
      {
        // Many processes that are killed and paused: a file a core, with nothing else beside them. More of them take longer than one after the other, since
        // processes that miss their time begin again. Without the production stores each file has a single process, and none can miss its time.
        test: {
          name: 'kills',
          ...onNode,
          include: KILLS,
          globalSetup: ['tests/buildFirst.ts'],
          isolate: false,
          ...(existsSync(FERRETDB)
            ? { ...forks, maxWorkers: availableParallelism(), sequence: { groupOrder: 2 } }
            : { ...everywhere, sequence: { groupOrder: 1 } }),
        },
      },
    ],
  },
});
