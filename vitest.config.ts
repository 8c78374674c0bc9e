import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from './scripts/testing/slow-files-first.ts'

const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'))

/**
 * Unit and integration tests of every workspace; the browser's stories run by Playwright in e2e/.
 * The files of a worker share its modules (CONTRIBUTING.md).
 */
export default defineConfig({
  test: {
    // Those of scripts/packaging take minutes: `npm test -- packages`.
    exclude: ['**/node_modules/**', '**/dist/**', 'scripts/packaging/**'],
    globalSetup: ['server/src/platform/db/testing/test-database-server.ts'],
    // Days and months are those of UTC, whatever the machine's zone.
    env: { TZ: 'America/Los_Angeles' },
    // Only what hangs is given up; a slow machine gets the time that it needs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    // Two more than the two cores that they are made for, as tests wait for what they watch.
    maxWorkers: 4,
    // A worker lives for minutes: most of what a smaller heap would have it collect is needed to its end.
    execArgv: [
      '--initial-old-space-size=1024',
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
    ],
    // Beside a sequencer of our own `--sequence.shuffle.files` would do nothing.
    sequence: isShuffled ? {} : { sequencer: SlowFilesFirst },
    isolate: false,
    // Node itself loads the files, as it does for the program.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{contract,engine,provenance,server,sandbox,scripts,bench}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: './web/src/ui/testing/one-document.ts',
          experimental: { viteModuleRunner: true },
          setupFiles: ['web/src/ui/testing/test-setup.ts'],
        },
      },
    ],
  },
})
