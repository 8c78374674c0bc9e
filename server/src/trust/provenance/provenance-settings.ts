import { readFile } from 'node:fs/promises'
import type { ProvenanceSettings } from '@starside/provenance/open-provenance.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'

/**
 * How pictures are marked, ready for the engine: the invisible mark's key, and the certificate that
 * they are signed with where there is one. Throws `SettingsError` when the latter can't be used.
 */
export async function readProvenanceSettings(
  settings: { readonly c2pa: { certificateFile: string; keyFile: string } | undefined },
  markKey: Buffer,
): Promise<ProvenanceSettings> {
  if (settings.c2pa === undefined) return { markKey }
  const { certificateFile, keyFile } = settings.c2pa
  const [certificateChainPem, privateKeyPem] = await Promise.all([
    readPem('C2PA_CERTIFICATE_FILE', certificateFile),
    readPem('C2PA_KEY_FILE', keyFile),
  ])
  const provenance = { markKey, c2pa: { certificateChainPem, privateKeyPem } }
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
