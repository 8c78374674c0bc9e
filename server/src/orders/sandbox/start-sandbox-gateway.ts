// The only file of the server that may import from the sandbox; see docs/decisions.
import { sandboxMerchant, startNowpaymentsGateway } from '@starside/sandbox/nowpayments/gateway.ts'

/**
 * Starts the payment sandbox inside this program, or, when another program on this machine already
 * runs it on that port (or this one is not to start it), uses that one.
 */
export async function startSandboxGateway(options: {
  port: number
  host: string
  /** Where browsers reach the pay page; next to the app when left out. */
  publicUrl: string | undefined
  appUrl: string
  apiKey: string
  ipnSecret: string
  dataFile: string
  startsGateway: boolean
}): Promise<{
  url: string
  merchant: { email: string; password: string }
  close: () => Promise<void>
}> {
  const { port, publicUrl } = options
  const running = {
    url: `http://127.0.0.1:${port}`,
    merchant: sandboxMerchant,
    close: async () => {},
  }
  if (!options.startsGateway) return running
  try {
    const { host, apiKey, ipnSecret, dataFile } = options
    const gateway = await startNowpaymentsGateway({
      port,
      host,
      apiKey,
      ipnSecret,
      dataFile,
      ...(publicUrl === undefined ? besideApp(options.appUrl, port) : { publicUrl }),
    })
    return { url: loopback(gateway.url), merchant: sandboxMerchant, close: gateway.close }
  } catch (error) {
    if (isPortTaken(error) && (await isOurGateway(running.url, options.apiKey))) return running
    throw error
  }
}

/** The app's own host with the gateway's port; a free port is only known to the gateway itself. */
function besideApp(appUrl: string, port: number): { publicUrl?: string } {
  if (port === 0) return {}
  const url = new URL(appUrl)
  return { publicUrl: `http://${url.hostname}:${port}` }
}

/** An address to listen on is not always one to call: `0.0.0.0` and `::` mean everywhere. */
function loopback(listening: string): string {
  return listening.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

async function isOurGateway(url: string, apiKey: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/v1/merchant/coins`, {
      headers: { 'x-api-key': apiKey },
      signal: AbortSignal.timeout(2_000),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
