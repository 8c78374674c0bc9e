import { z } from 'zod'
import { parseJson } from '../../platform/http/read-object.ts'
import { changeSite, undoSite, unsetSite } from '../../platform/site/change-site.ts'
import type { SiteChange } from '../../platform/site/change-site.ts'
import { isSiteKey, siteKeys, siteSettings, siteTitles } from '../../platform/site/site-settings.ts'
import type { SiteKey } from '../../platform/site/site-settings.ts'
import { defineAct } from '../act.ts'
import type { ActOutcome, ActParts } from '../act.ts'
import { checkFields } from '../check-fields.ts'

const key = z.string('Say which setting.').max(100)
const knownKey = key.refine(isSiteKey, {
  error: ({ input }) =>
    `There is no setting '${String(input)}'. There are: ${siteKeys.join(', ')}.`,
})

export const setSetting = defineAct('settings set', {
  schema: z.object({ id: knownKey, value: z.string('Say what it shall be.') }),
  async run(parts, { id, value }) {
    const parsed = parseValue(id, value)
    if ('mistake' in parsed)
      return { refused: 'Nothing was changed.', problems: { value: parsed.mistake } }
    const changes = await changeSite(parts.database, { [id]: parsed.value }, changerOf(parts))
    return toOutcome(changes?.[0])
  },
})

export const unsetSetting = defineAct('settings unset', {
  schema: z.object({ id: knownKey }),
  run: async (parts, { id }) => toOutcome(await unsetSite(parts.database, id, changerOf(parts))),
})

/** Takes any key, also one that only a newer version knows. */
export const undoSetting = defineAct('settings undo', {
  schema: z.object({
    id: key,
    version: z
      .string()
      .regex(/^\d{1,18}$/, 'A version is a number, as `settings list KEY` shows.')
      .optional(),
  }),
  async run(parts, { id, version }) {
    const which = version === undefined ? { key: id } : { key: id, version }
    return toOutcome(await undoSite(parts.database, { ...which, ...changerOf(parts) }))
  },
})

function changerOf({ operatorName, clock }: ActParts) {
  return { operatorName, now: clock() }
}

/** A text is taken as JSON first, so that lists and numbers can be given. */
function parseValue(id: SiteKey, text: string): { value: unknown } | { mistake: string } {
  const schema = siteSettings[id]
  const asJson = checkFields(schema, parseJson(text) ?? text)
  if ('input' in asJson) return { value: asJson.input }
  const asText = checkFields(schema, text)
  if ('input' in asText) return { value: asText.input }
  return { mistake: `Not accepted: ${Object.values(asJson.problems).join(' ')}` }
}

function toOutcome(change: SiteChange | undefined): ActOutcome {
  if (change === undefined) return { refused: 'Nothing changed.' }
  const { key: changed, before, after } = change
  const title = isSiteKey(changed) ? siteTitles[changed] : changed
  return {
    done: `${after === null ? 'Back to the default' : 'Changed'}: ${title}.`,
    log: { before: before ?? undefined, after: after ?? undefined },
  }
}
