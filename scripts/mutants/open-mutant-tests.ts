import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createVitest } from 'vitest/node'
import { projectFolder } from '../project-folder.js'
import type { JudgeTask } from './judge-task.ts'
import type { MutatedFile } from './make-mutants.ts'
import { mutantsFolder } from './mutant-results.ts'

export interface MutantTests {
  /**
   * Runs one test file in a process of its own, on the code with the mutants in it. Answers what
   * failed outside of tests, as when the file can't be imported.
   */
  run(testFile: string, task: JudgeTask): Promise<string[]>
  /** Stops Vitest and PostgreSQL. */
  close(): Promise<void>
}

/** Opens Vitest with one PostgreSQL for all that follows. */
export async function openMutantTests(mutated: readonly MutatedFile[]): Promise<MutantTests> {
  const taskFile = path.join(projectFolder, mutantsFolder, 'task.json')
  const codes = new Map(mutated.map(({ file, code }) => [path.join(projectFolder, file), code]))
  const passwordFile = path.join(projectFolder, 'server', 'src', 'auth', 'password.ts')
  const vitest = await createVitest(
    'test',
    {
      config: 'scripts/mutants/vitest.config.ts',
      watch: false,
      run: true,
      reporters: [{}],
      provide: { mutantTaskFile: taskFile },
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform(code, id) {
            const file = id.split('?')[0] ?? id
            const made = codes.get(file)
            // Most tests register somebody, which is to cost no more than the rest of them.
            return file === passwordFile ? hashCheaply(made ?? code) : made
          },
        },
      ],
    },
  )
  return {
    async run(testFile, task) {
      await writeFile(taskFile, JSON.stringify(task))
      const [specification] = await vitest.globTestSpecifications([testFile])
      if (specification === undefined) throw new Error(`Vitest doesn't know ${testFile}`)
      const { testModules } = await vitest.runTestSpecifications([specification])
      return testModules
        .filter(({ moduleId }) => moduleId === specification.moduleId)
        .flatMap((testModule) => testModule.errors().map(({ message }) => message))
    },
    close: () => vitest.close(),
  }
}

function hashCheaply(code: string): string {
  return code
    .replace(/memoryCost: \d[\d_]*/u, 'memoryCost: 64')
    .replace(/timeCost: \d+/u, 'timeCost: 1')
}
