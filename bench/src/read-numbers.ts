import { parseArgs } from 'node:util'
import { SettingsError } from '@starside/server/platform/settings/settings-error.ts'

/** The command line's numbers, as `--rows 2000`, by name, with `defaults` where one isn't given. */
export function readNumbers<Name extends string>(
  args: string[],
  defaults: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(defaults) as Name[]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  const { values } = parseArgs({ args, options })
  const numbers = names.map((name) => {
    const value = Number(values[name] ?? defaults[name])
    if (!(value > 0)) throw new SettingsError(`--${name}: a number above 0.`)
    return [name, value]
  })
  return Object.fromEntries(numbers) as Record<Name, number>
}
