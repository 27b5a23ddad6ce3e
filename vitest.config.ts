import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // CI reads the JSON report; a person reads the default one.
    reporters: process.env.TEST_JSON_REPORT ? ['default', ['json', { outputFile: process.env.TEST_JSON_REPORT }]] : ['default'],
    projects: [
      {
        test: { name: 'node', environment: 'node', include: ['tests/**/*.test.ts'], exclude: ['tests/web/**'], testTimeout: 30_000, hookTimeout: 60_000 },
      },
      {
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['tests/web/**/*.test.tsx', 'tests/web/**/*.test.ts'],
          setupFiles: ['tests/web/setup.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
