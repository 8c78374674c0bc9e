import type { C2paCredentials, C2paSigner } from './c2pa.ts'
import type { AskStamp } from './time-stamp.ts'

/** How an operator has pictures marked; plain data, to be handed to the engine's process. */
export interface ProvenanceSettings {
  /** Signs JPEG and PNG with these. */
  c2pa?: C2paCredentials | undefined
  /** Where `c2pa` isn't given: whom a certificate of one's own names; undefined leaves files unsigned. */
  ownHost?: string | undefined
  /** Whether a time-stamping authority is asked for each signature. */
  hasTimeStamps?: boolean | undefined
  /** The secret of the invisible mark, at least 16 bytes; undefined leaves the mark out. */
  markKey?: Uint8Array | undefined
}

/** The same, ready to be used. */
export interface Provenance {
  signer: C2paSigner | undefined
  /** SHA-256 of the own signing certificate. */
  ownFingerprint: string | undefined
  markKey: Uint8Array | undefined
}

const markKeyBytesMin = 16

/** @throws Error with a sentence for the operator when a setting can't be used */
export async function openProvenance(
  settings: ProvenanceSettings = {},
  askStamp?: AskStamp,
): Promise<Provenance> {
  const { c2pa, markKey, hasTimeStamps = false } = settings
  if (markKey !== undefined && markKey.length < markKeyBytesMin) {
    throw new Error(`The key of the invisible mark needs at least ${markKeyBytesMin} bytes.`)
  }
  const credentials = c2pa ?? (await makeOwn(settings))
  if (credentials === undefined) return { signer: undefined, ownFingerprint: undefined, markKey }
  // A large library, which the server itself has no need of.
  const { c2paFingerprint, createC2paSigner } = await import('./c2pa.ts')
  const signer = createC2paSigner(credentials, { askStamp: hasTimeStamps ? askStamp : undefined })
  return { signer, ownFingerprint: c2paFingerprint(credentials), markKey }
}

async function makeOwn({ ownHost, markKey }: ProvenanceSettings) {
  if (ownHost === undefined || markKey === undefined) return undefined
  const { makeOwnCredentials } = await import('./own-credentials.ts')
  return await makeOwnCredentials(markKey, ownHost)
}
