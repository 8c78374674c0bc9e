/**
 * Reads server-sent events (WHATWG HTML, section 9.2) from a streamed answer: only the `data`
 * field, which is all that our server sends. Gives each event's data as text.
 * `EventSource` cannot carry the bearer header, hence this reader over `fetch`.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield data.join('\n')
          data = []
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
        }
      }
      if (done) return
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
