/** `npm start`: brings the web app up to date, then runs the server in this process. */
import { buildWeb } from './build-web.ts'

await buildWeb()
await import('../server/src/main.ts')
