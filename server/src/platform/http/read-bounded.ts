/** Thrown when a body is larger than it may be. */
export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError'
}

/**
 * Reads a whole body, of at most `bytesMax` bytes whatever its headers say; gives up the rest.
 * Throws `BodyTooLargeError`, and the connection's error when that breaks.
 */
export async function readBounded(response: Response, bytesMax: number): Promise<Buffer> {
  const declared = Number(response.headers.get('content-length') ?? 0)
  if (declared > bytesMax) {
    await response.body?.cancel().catch(() => {})
    throw new BodyTooLargeError(`a body of ${declared} bytes, of ${bytesMax} at most`)
  }
  if (response.body === null) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body) {
    sizeBytes += chunk.length
    // Leaving the loop cancels the stream, which closes the connection.
    if (sizeBytes > bytesMax) throw new BodyTooLargeError(`a body of more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
