import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { errorTable } from '@starside/contract/errors.ts'
import { defaultLanguage, languages } from '@starside/contract/languages.ts'
import { createEngine } from '@starside/engine/engine.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { addStar } from '../stars/add-star.ts'
import { starQueue } from '../stars/star-job.ts'
import { starRules } from '../stars/star-rules.ts'
import { openStore } from '../storage/open-store.ts'
import type { AdminParts } from './admin-command.ts'
import { commandLine } from './run-logged.ts'
import { withJobQueue } from './with-job-queue.ts'

/** The options that hold text: each with the field of the same form under `/admin/presets`. */
const textOptions: Readonly<Record<string, string>> = {
  name: 'name',
  category: 'category',
  licence: 'licence',
  attribution: 'attribution',
  source: 'source',
  consent: 'consentNote',
  ...Object.fromEntries(
    languages.map((language) => [
      language === defaultLanguage ? 'line' : `line-${language}`,
      `line_${language}`,
    ]),
  ),
}

/** The options of `preset add`, for the list of commands. */
export const addPresetUsage =
  '--picture FILE --name NAME --category CATEGORY --licence LICENCE --attribution TEXT\n' +
  `      --source ADDRESS --consent TEXT [--line TEXT] ${languages
    .filter((language) => language !== defaultLanguage)
    .map((language) => `[--line-${language} TEXT]`)
    .join(' ')} [--ai-generated]`

/**
 * `preset add`: does what the form under `/admin/presets` does. The running program cuts the star
 * out; it is a draft then.
 */
export async function addPreset(parts: AdminParts, words: string[]): Promise<number> {
  const { config, print } = parts
  const { values } = parseArgs({
    args: words,
    options: {
      picture: { type: 'string' },
      'ai-generated': { type: 'boolean', default: false },
      ...Object.fromEntries(
        Object.keys(textOptions).map((name) => [name, { type: 'string' } as const]),
      ),
    },
  })
  const given = new Map(Object.entries(values))
  const rules = starRules.safeParse({
    ...Object.fromEntries(
      Object.entries(textOptions).map(([option, field]) => [field, given.get(option)]),
    ),
    ...(values['ai-generated'] ? { aiGenerated: 'on' } : {}),
  })
  const { picture } = values
  if (!rules.success || typeof picture !== 'string') {
    if (typeof picture !== 'string') print('--picture: This is needed.')
    for (const { path, message } of rules.error?.issues ?? []) {
      const option = Object.entries(textOptions).find(([, field]) => field === path[0])?.[0]
      print(`--${option ?? String(path[0])}: ${message}`)
    }
    return 2
  }
  const bytes = await readFile(picture)
  const engine = createEngine()
  try {
    const store = await openStore(config, { warn: (_details, message) => print(message) })
    const star = { ...rules.data, picture: bytes, createdBy: commandLine }
    const id = await withJobQueue(parts, starQueue, (jobs) =>
      addStar({ ...parts, store, engine, jobs }, star),
    )
    print(`'${id}' is cut out by the running program, or when it starts.`)
    print(`Look at ${config.publicUrl}/admin/presets/${id}, then: preset publish ${id}`)
    return 0
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    print(errorTable[error.code].sentence)
    return 1
  } finally {
    await engine.close()
  }
}
