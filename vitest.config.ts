import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Limits for a machine that is busy with something else; no test waits for a time.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // CI reads the JSON report; a person reads the default one.
    reporters: process.env.TEST_JSON_REPORT ? ['default', ['json', { outputFile: process.env.TEST_JSON_REPORT }]] : ['default'],
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/web/**', 'tests/e2e/**'],
          setupFiles: ['tests/setup.ts'],
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
          setupFiles: ['tests/web/setup.ts'],
          maxWorkers: '100%',
          ...timeouts,
        },
      },
      {
        // The built server in processes of its own, and browsers: one file at a time, after the rest, so that they have the cores.
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
