/** A vendor of pictures in a process of its own, so that the measured program doesn't pay for it. */
import { startFalServer } from '@starside/server/testing/vendors/fal-server.ts'

await startFalServer({
  port: Number(process.env['PORT']),
  apiKey: process.env['FAL_KEY'] ?? '',
})
