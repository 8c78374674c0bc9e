import { AppError } from '../errors/app-error.ts'

/** A place in a list by time (whole milliseconds) and id, newest first. */
export type Cursor = { at: Date; id: string }

/** The first `size` rows, where one more was read if there is a next page, and the opaque cursor of that, if any. */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  size: number,
  timeOf: (row: Row) => Date,
) {
  const page = rows.slice(0, size)
  const last = rows.length > size ? page.at(-1) : undefined
  const place = last && `${timeOf(last).getTime()} ${last.id}`
  return { page, nextCursor: place ? Buffer.from(place).toString('base64url') : null }
}

/**
 * Undefined for the first page; throws `invalid_request` for a text that no page gave out.
 * @param isId says whether a text has the form of the list's ids: a caller can write a cursor too
 */
export function decodeCursor(text: unknown, isId: (text: string) => boolean): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  const match =
    typeof text === 'string' && text.length <= 200
      ? /^(\d{1,15}) ([\w:-]{1,100})$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
      : null
  if (match?.[1] === undefined || match[2] === undefined || !isId(match[2])) {
    throw new AppError('invalid_request', { sentence: 'The cursor is not one of ours.' })
  }
  return { at: new Date(Number(match[1])), id: match[2] }
}
