import { defineConfig } from 'vitest/config'

/** Unit and contract tests need no build; end-to-end tests use what `scripts/build.mjs` built (scripts/test.mjs does). */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/{shared,main,service,scripts}/**/*.test.ts'], environment: 'node' } },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], environment: 'node', testTimeout: 30_000 } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          globalSetup: [],
        },
      },
    ],
  },
})
