import { link, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, undefinedWhenMissing } from '../errors/code-of.ts'
import { writeFlushed } from '../storage/write-flushed.ts'
import type { RandomBytes } from './random-bytes.ts'
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

/**
 * A secret in the data folder as 64 hexadecimal digits, readable by its owner alone: written by the first call, read by every
 * later one. Throws when the file is damaged or can't be written.
 * @param name the file's name, such as `signing-secret`
 * @param first 32 bytes that become the secret where there is none yet
 */
export async function readKeptSecret(
  dataFolder: string,
  name: string,
  first: Buffer,
): Promise<string> {
  await mkdir(dataFolder, { recursive: true })
  const path = join(dataFolder, name)
  const known = await readSecret(path)
  if (known !== undefined) return known
  await writeOnce(path, first.toString('hex'))
  return (await readSecret(path)) ?? first.toString('hex')
}

async function readSecret(path: string): Promise<string | undefined> {
  const secret = await readFile(path, 'utf8').catch(undefinedWhenMissing)
  if (secret === undefined || /^[0-9a-f]{64}$/.test(secret)) return secret
  throw new Error(`${path} is damaged; restore it from a backup, or remove it to get a new secret`)
}

/** Another process finds either no file or all of it. The first of two writers wins. */
async function writeOnce(path: string, secret: string): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`
  await writeFlushed(draft, secret)
  try {
    await link(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}
