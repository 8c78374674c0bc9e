import { defineConfig } from 'vitest/config'

/** Unit and integration tests of every workspace; the browser's stories run by Playwright in e2e/. */
export default defineConfig({
  test: {
    include: ['{contract,engine,server,web,sandbox,scripts,bench}/**/*.test.{ts,tsx}'],
    // Those of scripts/packaging take minutes: `npm test -- packages`.
    exclude: ['**/node_modules/**', '**/dist/**', 'scripts/packaging/**'],
    globalSetup: ['server/src/db/test-database-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
