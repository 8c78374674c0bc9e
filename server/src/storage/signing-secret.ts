import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The key of signed addresses, made once per data folder and kept there for its owner's eyes only.
 * Several nodes share one by the setting SIGNING_SECRET instead.
 */
export async function readSigningSecret(
  dataFolder: string,
  randomBytes: (byteCount: number) => Buffer,
): Promise<string> {
  await mkdir(dataFolder, { recursive: true })
  const path = join(dataFolder, 'signing-secret')
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(randomBytes(32).toString('hex'))
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  }
  const secret = await readFile(path, 'utf8')
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    throw new Error(`${path} is damaged; remove it, and picture addresses given out become void`)
  }
  return secret
}
