import { parseArgs } from 'node:util'

interface StandIn {
  url: string
  close(): Promise<unknown>
}

/**
 * Runs a stand-in for an image service from the command line until it is asked to end.
 *
 * @param about.name what it stands in for
 * @param about.usage the text of `--help`
 * @param about.port where it listens by default
 */
export async function runStandIn(about: {
  name: string
  usage: string
  port: number
  start(options: {
    port: number
    host: string
    apiKey: string
    /** What a stand-in of several services is to speak. */
    dialect: string | undefined
  }): Promise<StandIn>
}): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(about.port) },
      host: { type: 'string', default: '127.0.0.1' },
      dialect: { type: 'string' },
      'api-key': { type: 'string', default: 'sandbox-key' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(about.usage)
    return
  }
  const standIn = await about.start({
    port: Number(values.port),
    host: values.host,
    apiKey: values['api-key'],
    dialect: values.dialect,
  })
  process.stdout.write(`Stand-in for ${about.name} on ${standIn.url}\n`)
  closeOnSignal(standIn)
}

/** Closes it when the program is asked to end. */
export function closeOnSignal(server: { close(): Promise<unknown> }): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close())
  }
}
