import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longestFirst.ts';

// Limits for a machine that is busy with something else; no test waits for a time.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 };

/** What starts processes, kills them, looks at a whole process, or puts a module of its own in another's place: each file has a process of its own. */
const PROCESSES = [
  ...['cli', 'eventStore', 'installation', 'readModels', 'servers', 'start', 'torture'].map((folder) => `tests/${folder}/**/*.test.ts`),
  'tests/audit/hostileRobots.test.ts',
];
/** What puts a module of its own in another's place, among files that find modules as those before them left them. */
const ALONE_IN_PAGES = ['tests/web/features/admin/prompts.test.tsx'];
const KILLS = ['billing', 'history', 'killLoop', 'processes', 'work'].map((name) => `tests/e2e/${name}.test.ts`);

export default defineConfig({
  test: {
    // CI reads the JSON report; a person reads the default one.
    reporters: process.env.TEST_JSON_REPORT ? ['default', ['json', { outputFile: process.env.TEST_JSON_REPORT }]] : ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Threads that keep what they have loaded from file to file: nothing here has a state of its own outside its tests.
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/web/**', 'tests/e2e/**', ...PROCESSES],
          setupFiles: ['tests/setup.ts'],
          pool: 'threads',
          isolate: false,
          maxWorkers: '100%',
          ...timeouts,
        },
      },
      {
        test: {
          name: 'processes',
          environment: 'node',
          include: PROCESSES,
          setupFiles: ['tests/setup.ts'],
          globalSetup: ['tests/buildFirst.ts'],
          maxWorkers: '100%',
          ...timeouts,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['tests/web/**/*.test.tsx', 'tests/web/**/*.test.ts'],
          exclude: ALONE_IN_PAGES,
          setupFiles: ['tests/web/setup.ts'],
          isolate: false,
          maxWorkers: '100%',
          ...timeouts,
        },
      },
      {
        plugins: [react()],
        test: { name: 'webAlone', environment: 'jsdom', include: ALONE_IN_PAGES, setupFiles: ['tests/web/setup.ts'], maxWorkers: '100%', ...timeouts },
      },
      {
        // The built server in processes of its own, and browsers: after the rest, so that they have the cores.
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: KILLS,
          globalSetup: ['tests/buildFirst.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        // Many processes that are killed and paused: one file at a time, with nothing beside it.
        test: {
          name: 'kills',
          environment: 'node',
          include: KILLS,
          globalSetup: ['tests/buildFirst.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...timeouts,
        },
      },
    ],
  },
});
