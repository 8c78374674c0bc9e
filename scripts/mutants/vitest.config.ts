import { defineConfig } from 'vitest/config'

/**
 * The tests that mutants of the server's features are tried on. Those that run for long (processes
 * that are killed, thousands of random sequences) are left out: a mutant must fall by a test that
 * tells where the fault is.
 */
export default defineConfig({
  test: {
    include: [
      'server/src/{auth,credits,generation,orders,referrals,sharing,reports}/**/*.test.ts',
      'server/src/authorisation.test.ts',
      'server/src/service/public-routes.test.ts',
      'server/src/user/my-data.test.ts',
    ],
    exclude: [
      '**/node_modules/**',
      '**/{crash,kill-*,random-*,many-nodes,parallel-nodes,hostile-uploads}.test.ts',
      '**/orders/random/**',
    ],
    globalSetup: ['server/src/db/test-database-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
