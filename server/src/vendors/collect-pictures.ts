import { HostedError } from './hosted-error.ts'

/**
 * The pictures of an answer one after the other; those that can't be had are left out.
 * @param read answers one of them, or throws `HostedError`
 * @throws the first one's `HostedError` where none can be had
 */
export async function collectPictures<Entry>(
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<Uint8Array>,
): Promise<Uint8Array[]> {
  const pictures: Uint8Array[] = []
  const errors: HostedError[] = []
  for (const entry of entries) {
    try {
      pictures.push(await read(entry))
    } catch (error) {
      if (!(error instanceof HostedError)) throw error
      errors.push(error)
    }
  }
  if (pictures.length > 0) return pictures
  throw errors[0] ?? new HostedError('unknown', 'the answer has no picture')
}
