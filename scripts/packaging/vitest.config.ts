import { defineConfig } from 'vitest/config'

/** `npm test -- packages`: tests that build what people install, in minutes. */
export default defineConfig({
  test: {
    include: ['scripts/packaging/*.test.ts'],
    globalSetup: ['server/src/platform/db/testing/test-database-server.ts'],
    // Installing packages and building an image wait for a registry and a disk.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    maxWorkers: 1,
  },
})
