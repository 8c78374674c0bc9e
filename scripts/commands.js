/**
 * @typedef {object} ProjectCommand what `npm run NAME` runs
 * @property {string} script the file, relative to the project
 * @property {readonly string[]} [args] come before the caller's own
 * @property {'program' | 'tools'} needs the packages it needs: those of the running program, or also
 *   those for tests, checks and benchmarks
 * @property {boolean} [keepsCompiled] keeps what Node compiles, so that later starts are quick
 */

/**
 * Every command of package.json, which installs what it needs before it runs.
 * @type {Readonly<Record<string, ProjectCommand>>}
 */
export const commands = {
  start: { script: 'scripts/start.ts', needs: 'program', keepsCompiled: true },
  dev: { script: 'scripts/dev.ts', needs: 'tools', keepsCompiled: true },
  test: { script: 'scripts/testing/test.ts', needs: 'tools', keepsCompiled: true },
  check: { script: 'scripts/check.ts', needs: 'tools', keepsCompiled: true },
  format: { script: 'node_modules/oxfmt/bin/oxfmt', args: ['.'], needs: 'tools' },
  lint: { script: 'node_modules/oxlint/bin/oxlint', args: ['--type-aware'], needs: 'tools' },
  types: { script: 'node_modules/typescript/bin/tsc', args: ['-b'], needs: 'tools' },
  admin: { script: 'server/src/admin.ts', needs: 'program' },
  seed: { script: 'scripts/seed.ts', needs: 'program' },
  selfie: { script: 'engine/src/selfie-command.ts', needs: 'program' },
  'test:faults': { script: 'e2e/faults/faults-command.ts', needs: 'tools' },
  'test:fuzz': { script: 'scripts/testing/fuzz-uploads.ts', needs: 'tools' },
  examples: { script: 'scripts/examples/make-examples.ts', needs: 'tools' },
  licences: { script: 'scripts/licences.ts', needs: 'tools' },
  prepack: { script: 'scripts/prepare-package.ts', needs: 'program' },
  bench: { script: 'bench/src/bench-command.ts', needs: 'tools' },
}
