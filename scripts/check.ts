/** `npm run check`: all steps, whichever fail; `npm run check -- quick` leaves the tests out. */
import { runTool } from './run-program.ts'
import { checkTidiness } from './tidy.ts'

interface Step {
  readonly name: string
  readonly advice: string
  run(): Promise<boolean>
}

const tool =
  (script: string, ...args: string[]) =>
  async () =>
    (await runTool(script, args)) === 0

const steps: Step[] = [
  {
    name: 'format',
    advice: '`npm run format` mends it.',
    run: tool('node_modules/oxfmt/bin/oxfmt', '--check', '.'),
  },
  {
    name: 'lint',
    advice: 'Mend what is named above; `npm run lint -- --fix` does the simple ones.',
    run: tool('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  },
  {
    name: 'types',
    advice: 'Mend what is named above.',
    run: tool('node_modules/typescript/bin/tsc', '-b'),
  },
  {
    name: 'unused code',
    advice: 'Take out what is named above; knip.json says what is looked at.',
    run: tool('node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  },
  { name: 'rules', advice: 'Each line above says what to do instead.', run: () => checkTidiness() },
]
const quick = process.argv.slice(2).includes('quick')
const tests: Step = {
  name: 'tests',
  advice: '`npm test -- <part of the file name>` runs one file.',
  run: tool('scripts/testing/test.ts'),
}

const failed: Step[] = []
for (const step of quick ? steps : [...steps, tests]) {
  console.log(`\n— ${step.name}`)
  if (!(await step.run())) failed.push(step)
}
console.log('')
for (const { name, advice } of failed) console.log(`${name}: failed. ${advice}`)
if (failed.length === 0) console.log('Everything is in order.')
process.exit(failed.length === 0 ? 0 : 1)
