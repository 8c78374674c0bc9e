import type { ProvenanceSettings } from '@starside/provenance/open-provenance.ts'
import { readFile } from 'node:fs/promises'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { AskStamp } from '@starside/provenance/time-stamp.ts'
import { readBounded } from '../../platform/http/read-bounded.ts'
import type { Logger } from '../../platform/logging/logger.ts'

interface Settings {
  readonly safety: {
    c2pa: { certificateFile: string; keyFile: string } | undefined
    timeStampUrl: string | undefined
  }
  readonly publicHost: string
}

/**
 * How pictures are marked, ready for the engine: the invisible mark's key, and what they are signed with: the
 * operator's certificate or one of our own, which follows from that key. Throws `SettingsError` when the
 * operator's can't be used.
 */
export async function readProvenanceSettings(
  { safety, publicHost }: Settings,
  markKey: Buffer,
): Promise<ProvenanceSettings> {
  const hasTimeStamps = safety.timeStampUrl !== undefined
  if (safety.c2pa === undefined) return { markKey, hasTimeStamps, ownHost: publicHost }
  const { certificateFile, keyFile } = safety.c2pa
  const [certificateChainPem, privateKeyPem] = await Promise.all([
    readPem('C2PA_CERTIFICATE_FILE', certificateFile),
    readPem('C2PA_KEY_FILE', keyFile),
  ])
  const provenance = { markKey, hasTimeStamps, c2pa: { certificateChainPem, privateKeyPem } }
  // Tried here, so that a wrong certificate stops the start and not the first picture.
  const { openProvenance } = await import('@starside/provenance/open-provenance.ts')
  await openProvenance(provenance).catch((error: unknown) => {
    throw new SettingsError(`C2PA: ${error instanceof Error ? error.message : String(error)}`)
  })
  return provenance
}

async function readPem(name: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new SettingsError(
      `${name} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  })
}

const answerWithinMs = 5_000
/** An answer with its certificates has some 6 kB; more would not fit into a manifest. */
const answerBytesMax = 10 * 1024
/** So long no picture waits for an authority that has just failed. */
const pauseMs = 60_000

/**
 * Asks a time-stamping authority (RFC 3161, section 3.4); gives what it answers, unchecked.
 * @param parts.now milliseconds since 1970
 */
export function createStampClient(
  url: string,
  parts: { fetch: typeof fetch; now: () => number; log: Pick<Logger, 'warn'> },
): AskStamp {
  let pausedUntil = 0
  return async (request) => {
    if (parts.now() < pausedUntil) return undefined
    try {
      const response = await parts.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
        body: Uint8Array.from(request),
        redirect: 'error',
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const answer = await readBounded(response, answerBytesMax)
      if (response.status !== 200) throw new Error(`it answered ${response.status}`)
      return answer
    } catch (err) {
      pausedUntil = parts.now() + pauseMs
      parts.log.warn({ err }, 'no time-stamp was to be had: pictures are signed without one')
      return undefined
    }
  }
}
