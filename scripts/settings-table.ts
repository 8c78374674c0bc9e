import { environmentSchema } from '../server/src/config.ts'
import { z } from 'zod'
import { settingsNotes } from './settings-notes.ts'

export const tableStart = '<!-- The table is made by `node scripts/make-settings-table.ts`. -->'
export const tableEnd = '<!-- End of the table. -->'

/** Every setting with its default and its limits, as a Markdown table. */
export function settingsTable(): string {
  const { properties = {} } = z.toJSONSchema(environmentSchema, {
    io: 'input',
    unrepresentable: 'any',
  })
  const rows = Object.entries(properties).map(([name, schema]) => {
    const facts = typeof schema === 'object' ? schema : {}
    const preset =
      facts.default === undefined ? '' : `\`${JSON.stringify(facts.default).replaceAll(`"`, ``)}\``
    return `| \`${name}\` | ${preset} | ${accepted(facts)} | ${settingsNotes[name] ?? ''} |`
  })
  return ['| Setting | Default | Accepted | What for |', '|---|---|---|---|', ...rows].join('\n')
}

function accepted(facts: { enum?: unknown[]; minimum?: number; maximum?: number }): string {
  if (facts.enum !== undefined) return facts.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (facts.minimum !== undefined && facts.maximum !== undefined) {
    return `${facts.minimum} to ${facts.maximum}`
  }
  return 'text'
}

/** The settings that nobody has said a word about, and the words about settings that are gone. */
export function unmatchedSettings(): string[] {
  const names = Object.keys(environmentSchema.shape)
  return [
    ...names.filter((name) => settingsNotes[name] === undefined),
    ...Object.keys(settingsNotes).filter((name) => !names.includes(name)),
  ]
}

/** The page with the table as it is now. */
export function withSettingsTable(page: string): string {
  const [before, rest] = page.split(tableStart)
  const after = rest?.split(tableEnd)[1]
  if (before === undefined || after === undefined) throw new Error('the page has no such table')
  return `${before}${tableStart}\n\n${settingsTable()}\n\n${tableEnd}${after}`
}
