/** Thrown when a body is larger than it may be. */
export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError'
}

/** Reads a body of at most `bytesMax` bytes. Throws `BodyTooLargeError` and connection errors. */
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
