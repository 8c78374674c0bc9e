import { eventRoles } from '@starside/contract/event-formats.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { defaultLanguage, languages } from '@starside/contract/languages.ts'
import { presetCategories } from '@starside/contract/preset-categories.ts'
import { z } from 'zod'
import actTexts from './acts.json' with { type: 'json' }
import { languageWord } from './form-fields.ts'
import { operatorRights, operatorRoles } from './roles.ts'

/** What an upload may be, as operators read it; the app makes a JPEG of HEIC before it is uploaded. */
const uploadFormats = 'JPEG, PNG, WebP, AVIF or GIF'

/** `many` are ticks by one name, of which a form is told; a `moment` is in UTC. */
const kinds = ['text', 'number', 'date', 'moment', 'area', 'many', 'tick', 'file', 'once'] as const
/** What a report may be resolved as. */
export const reportOutcomes = ['removed', 'kept', 'not_found'] as const
const choices = {
  eventRoles,
  operatorRoles,
  presetCategories,
  reportOutcomes,
  yesOrNo: ['yes', 'no'],
} as const

/** A field of an act: what a form shows of it, and where it stands on the command line. */
const actField = z.strictObject({
  label: z.string(),
  hint: z
    .string()
    .transform((text) => text.replace('{uploadFormats}', uploadFormats))
    .exactOptional(),
  isRequired: z.literal(true).exactOptional(),
  lengthMax: z.int().exactOptional(),
  value: z.union([z.string(), z.number()]).exactOptional(),
  /** `text` unless told; a file is named by its path on the command line; `once` is never seen. */
  kind: z
    .union([
      z.enum(kinds),
      z.enum(keysOf(choices)).transform((name): readonly string[] => choices[name]),
    ])
    .exactOptional(),
  /** Its word of the command, such as `ORDER_ID`; undefined: it is an option. */
  place: z.string().exactOptional(),
  /** Its option of the command, where that isn't its name. */
  option: z.string().exactOptional(),
  accept: z.string().exactOptional(),
  /** Folded in the form: most leave it as it is. */
  isRare: z.literal(true).exactOptional(),
  /** There is one in each language; the hint is that of the default one. */
  isTranslated: z.literal(true).exactOptional(),
})
export type ActField = z.output<typeof actField>

/** What `acts.json` says of each act; a field that several have is named there. */
const declarations = z.object({
  fields: z.record(z.string(), actField),
  acts: z.record(
    z.string(),
    z.strictObject({
      right: z.enum(keysOf(operatorRights)),
      help: z.string(),
      button: z.string(),
      /** Read before it is done: what can't be undone by it, or who is shut out. */
      warning: z.string().optional(),
      /** Who acts on a page gives their own password too, so that a stolen session can't. */
      asksPassword: z.literal(true).optional(),
      fields: z.record(z.string(), z.union([z.string(), actField])),
    }),
  ),
})
const { fields: sharedFields, acts } = declarations.parse(actTexts)
/** Two words, as the command has them; also what the log says: `orders settle`. */
export type ActName = keyof typeof actTexts.acts

export interface DeclaredAct extends Omit<(typeof acts)[string], 'fields'> {
  /** In the order of the form; those with a place come first in a command. */
  fields: Record<string, ActField>
}

/** What `acts.json` says of an act, with the fields that it names. */
export function readAct(name: ActName): DeclaredAct {
  const { fields, ...declared } = acts[name]!
  const read = Object.entries(fields).flatMap(([field, given]) => {
    const known = typeof given === 'string' ? sharedFields[given] : given
    if (known === undefined) throw new Error(`acts.json has no field ${JSON.stringify(given)}`)
    return known.isTranslated ? inLanguages(field, known) : [[field, known] as const]
  })
  return { ...declared, fields: Object.fromEntries(read) }
}

function inLanguages(name: string, { hint = '', isTranslated: _is, ...field }: ActField) {
  return languages.map((language): [string, ActField] => [
    `${name}_${language}`,
    {
      ...field,
      label: `${field.label}, ${languageWord(language)}`,
      ...(language === defaultLanguage ? { option: name, hint } : {}),
    },
  ])
}
