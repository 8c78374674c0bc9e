import { isDeepStrictEqual } from 'node:util'
import { keysOf } from '@starside/contract/keys-of.ts'
import { changeSite } from '../platform/site/change-site.ts'
import type { SiteValues } from '../platform/site/site-settings.ts'
import type { OperatorCall, FormOutcome } from './operator-page.ts'

/** Sets what differs of checked site settings, for a form that was opened at `seenVersion`. */
export async function saveSite(
  { context, operator }: Pick<OperatorCall, 'context' | 'operator'>,
  wanted: Partial<SiteValues>,
  { seenVersion, to, done = 'Saved.' }: { seenVersion: string; to?: string; done?: string },
): Promise<FormOutcome> {
  const values = context.site.values()
  const changed = Object.fromEntries(
    keysOf(wanted)
      .filter((key) => !isDeepStrictEqual(values[key], wanted[key]))
      .map((key) => [key, wanted[key]]),
  )
  const options = { operatorName: operator.name, now: context.clock(), seenVersion }
  const changes = await changeSite(context.database, changed, options)
  if (changes === undefined) {
    return { refused: 'Somebody else has changed this meanwhile. Open the page again.' }
  }
  await context.site.refresh()
  return {
    done: changes.length === 0 ? 'Nothing was different.' : `${done} You can undo it under Log.`,
    ...(to && { to }),
    log: { subject: changes.map(({ key }) => key).join(', ') },
  }
}
