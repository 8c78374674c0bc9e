import { readFile } from 'node:fs/promises'
import type { ProvenanceSettings } from '@starside/provenance/open-provenance.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'

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
