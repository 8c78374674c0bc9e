import { z } from 'zod'
import { keysOf } from '@starside/contract/keys-of.ts'
import { describeSetting, environmentSchema } from '../server/src/settings/environment-schema.ts'

/** What is said of a setting. */
interface SettingFacts {
  readonly name: string
  /** As it is written into the environment; undefined: none. */
  readonly preset: string | undefined
  readonly accepted: string
  readonly description: string
}

/** Every setting in the order of the schema, with its default, its limits and its purpose. */
export function listSettings(): SettingFacts[] {
  const { properties = {} } = z.toJSONSchema(environmentSchema, {
    io: 'input',
    unrepresentable: 'any',
  })
  return keysOf(environmentSchema.shape).map((name) => {
    const schema = properties[name]
    const facts = typeof schema === 'object' ? schema : {}
    return {
      name,
      preset:
        facts.default === undefined ? undefined : JSON.stringify(facts.default).replaceAll(`"`, ``),
      accepted: accepted(facts),
      description: describeSetting(name),
    }
  })
}

function accepted(facts: { enum?: unknown[]; minimum?: number; maximum?: number }): string {
  if (facts.enum !== undefined) return facts.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (facts.minimum !== undefined && facts.maximum !== undefined) {
    return `${facts.minimum} to ${facts.maximum}`
  }
  return 'text'
}

/** The settings as a Markdown table. */
export function settingsTable(): string {
  const rows = listSettings().map(
    ({ name, preset, accepted: values, description }) =>
      `| \`${name}\` | ${preset === undefined ? '' : `\`${preset}\``} | ${values} | ${description} |`,
  )
  return ['| Setting | Default | Accepted | What for |', '|---|---|---|---|', ...rows].join('\n')
}

/** The settings as `.env.example`: each commented out, with its default. */
export function exampleEnvironment(): string {
  const entries = listSettings().map(({ name, preset, accepted: values, description }) => {
    const limits = values === 'text' ? '' : ` (${values.replaceAll('`', '')})`
    return `# ${description.replaceAll('`', '')}${limits}\n#${name}=${preset ?? ''}\n`
  })
  return `# Settings of Starside: copy this file to .env, which git ignores, and uncomment what differs.
# Variables of the environment go before it. Made by node scripts/make-settings-table.ts.

${entries.join('\n')}`
}
