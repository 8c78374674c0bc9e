import { readPictureReference } from '../trust/reports/picture-reference.ts'
import type { OperatorCall } from './operator-page.ts'
import { time } from './tables.ts'

/** Something that a search names by its id or address, and the page that shows it. */
export interface Named {
  text: string
  href: string | undefined
}

/**
 * What a search names: an order, the owner of a picture by any of its addresses, the user of a
 * request. Undefined where no id stands in it that is known.
 */
export async function findNamed(call: OperatorCall, search: string): Promise<Named | undefined> {
  const orderId = /order_[\da-z]{1,12}_[\da-z]{6}/.exec(search)?.[0]
  if (orderId !== undefined && call.may('see orders')) {
    return { href: `/admin/orders/${orderId}`, text: `Open order ${orderId}` }
  }
  const picture = readPictureReference(search)
  if (picture === undefined) return undefined
  const row = await call.context.database
    .selectFrom('generations')
    .select(['id', 'user_id'])
    .where((where) =>
      'shareId' in picture
        ? where('share_id', '=', picture.shareId)
        : where('id', '=', picture.generationId),
    )
    .executeTakeFirst()
  if (row !== undefined) {
    return { href: `/admin/users/${row.user_id}`, text: `Open the owner of selfie ${row.id}` }
  }
  return 'shareId' in picture ? undefined : findRequest(call, picture.generationId)
}

async function findRequest(
  { context }: OperatorCall,
  requestId: string,
): Promise<Named | undefined> {
  const note = await context.database
    .selectFrom('request_notes')
    .selectAll()
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  if (note === undefined) return undefined
  const outcome = note.code === null ? String(note.status) : `${note.status} ${note.code}`
  const about = `Request of ${time(note.at)}: ${note.call}, answered ${outcome}`
  return note.user_id === null
    ? { href: undefined, text: `${about}. Nobody was signed in.` }
    : { href: `/admin/users/${note.user_id}`, text: `${about}. Open the user.` }
}
