import { readFile } from 'node:fs/promises'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** What a test file names that starts programs, engines or databases, or waits for its time. */
const isSlow =
  /\b(?:runProgram|realEngine|openHostedApp|createEngine|createCompositor|startEmbeddedPostgres|claimFolder|execPath)\b/u

/**
 * Runs the slow files first: the last of them would keep one worker while the others have nothing left
 * to do. Vitest itself goes by the files' sizes where it has run none of them before.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's, not an array's
    const sorted = await super.sort(files)
    const texts = await Promise.all(sorted.map(({ moduleId }) => readFile(moduleId, 'utf8')))
    const slow = new Set(sorted.filter((_file, index) => isSlow.test(texts[index] ?? '')))
    return [...slow, ...sorted.filter((file) => !slow.has(file))]
  }
}
