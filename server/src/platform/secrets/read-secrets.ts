import type { RandomBytes } from './random-bytes.ts'
import { readKeptSecret } from './kept-secret.ts'
import { deriveKey, deriveMarkKey } from './keys.ts'
import type { Secrets } from './keys.ts'

/** The secrets that the settings name. */
export interface SecretSettings {
  signingSecret: string | undefined
  digestSecret: string | undefined
  markSecret: string | undefined
}

/**
 * The secrets of the settings. Those they don't name are kept in the data folder, so that they last
 * when SIGNING_SECRET is changed. At first they follow from the signing secret, so that nodes with
 * data folders of their own agree. `warn` is called when the folder can't keep one.
 */
export async function readSecrets(
  settings: SecretSettings,
  options: {
    dataFolder: string
    randomBytes: RandomBytes
    warn: (details: object, message: string) => void
  },
): Promise<Secrets> {
  const { dataFolder, randomBytes, warn } = options
  const signing =
    settings.signingSecret ?? (await readKeptSecret(dataFolder, 'signing-secret', randomBytes(32)))
  const keep = async (variable: string, name: string, first: Buffer): Promise<string> => {
    try {
      return await readKeptSecret(dataFolder, name, first)
    } catch (error) {
      if (settings.signingSecret === undefined) throw error
      warn({ err: error }, `${variable} is not set, and the data folder can't keep ${name}`)
      return first.toString('hex')
    }
  }
  const { digestSecret, markSecret } = settings
  return {
    signing,
    digest:
      digestSecret ??
      (await keep('DIGEST_SECRET', 'digest-secret', deriveKey(signing, 'digest secret'))),
    markKey:
      markSecret === undefined
        ? Buffer.from(await keep('MARK_SECRET', 'mark-key', deriveMarkKey(signing)), 'hex')
        : deriveMarkKey(markSecret),
  }
}
