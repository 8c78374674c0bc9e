import { builtinEnvironments } from 'vitest/runtime'
import type { Environment } from 'vitest/runtime'

let opened: ReturnType<Environment['setup']> | undefined

/** A document for all test files of a worker, as a new one takes longer than most of them. */
const oneDocument: Environment = {
  name: 'one-document',
  viteEnvironment: 'client',
  async setup(global, options) {
    await (opened ??= builtinEnvironments['happy-dom'].setup(global, options))
    return { teardown() {} }
  },
}

export default oneDocument
