/** `npm start`: brings the web app up to date, then runs the server in this process. */
import { buildWeb } from './build-web.ts'

try {
  await buildWeb()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
await import('../server/src/main.ts')
