/** `npm run admin -- COMMAND`: an operator's commands. */
import './app/start/end-on-signals.ts'
import { readProcessConfig } from './config.ts'
import { runAdmin } from './operator/commands/run-admin.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  readConfig: readProcessConfig,
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
})
