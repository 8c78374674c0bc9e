import { defineConfig } from 'vitest/config'

/** As in vitest.config.ts, with the runner that tries mutants. */
export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts'],
    globalSetup: ['server/src/db/test-database-server.ts'],
    runner: './scripts/mutants/judge-mutants.ts',
    testTimeout: 60_000,
    // It may run behind everything else of a machine, and a file whose program does not start is lost.
    hookTimeout: 600_000,
    maxWorkers: 1,
    // Its keys don't know of the mutants: code of a run before would come back.
    fsModuleCache: false,
  },
})
