/**
 * A program for tests: starts the database on the folder given as its argument, prints one line of
 * JSON about it, and stays until it is killed.
 */
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'

try {
  const postgres = await startEmbeddedPostgres({
    dataDir: process.argv[2] ?? '',
    log: () => {},
    durable: true,
  })
  const { url, pid, port } = postgres
  process.stdout.write(`${JSON.stringify({ url, pid, port })}\n`)
  setInterval(() => {}, 60_000)
} catch (error) {
  const problem = error instanceof EmbeddedPostgresError ? error.problem : 'unknown'
  process.stdout.write(`${JSON.stringify({ problem, message: String(error) })}\n`)
  process.exitCode = 1
}
