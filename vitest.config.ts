import { defineConfig } from 'vitest/config'

/** Unit and integration tests of every workspace; the browser's stories run by Playwright in e2e/. */
export default defineConfig({
  test: {
    include: ['{contract,engine,server,web,sandbox,scripts,bench}/**/*.test.{ts,tsx}'],
    // Those of scripts/packaging take minutes: `npm test -- packages`.
    exclude: ['**/node_modules/**', '**/dist/**', 'scripts/packaging/**'],
    globalSetup: ['server/src/db/test-database-server.ts'],
    // Days and months are those of UTC, whatever the machine's zone.
    env: { TZ: 'America/Los_Angeles' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
