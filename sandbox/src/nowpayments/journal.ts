import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A file of JSON lines to which every change is appended before it takes effect. */
export interface Journal<Entry> {
  append(entry: Entry): void
  close(): void
}

/**
 * Replays `file` through `apply`, writes it anew from `snapshot` and keeps it open for appending.
 * A last line that was cut off by a crash is dropped. Without a file nothing is kept.
 */
export function openJournal<Entry>(
  file: string | undefined,
  apply: (entry: Entry) => void,
  snapshot: () => Entry[],
): Journal<Entry> {
  if (file === undefined) return { append: () => {}, close: () => {} }
  mkdirSync(dirname(file), { recursive: true })
  for (const line of readLines(file)) {
    const entry = parseLine(line)
    if (entry !== undefined) apply(entry as Entry)
  }
  const fresh = `${file}.new`
  writeFileSync(
    fresh,
    snapshot()
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  )
  renameSync(fresh, file)
  const descriptor = openSync(file, 'a')
  return {
    append: (entry) => {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`)
    },
    close: () => closeSync(descriptor),
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function parseLine(line: string): unknown {
  if (line === '') return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
