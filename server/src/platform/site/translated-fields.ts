import { inEveryLanguage, languages } from '@starside/contract/languages.ts'
import type { Language, Translated } from '@starside/contract/languages.ts'
import type { z } from 'zod'

/** The fields of a form for a text in every language, such as `line_en` and `line_es`. */
export type TranslatedFields<Name extends string, Field> = Record<`${Name}_${Language}`, Field>

/** @param schemaOf checks the text of a language */
export function translatedFields<Name extends string, Schema extends z.ZodType>(
  name: Name,
  schemaOf: (language: Language) => Schema,
): TranslatedFields<Name, Schema> {
  const fields = languages.map((language) => [`${name}_${language}`, schemaOf(language)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one field for each language
  return Object.fromEntries(fields) as TranslatedFields<Name, Schema>
}

/** What such fields hold, by language. */
export function readTranslated<Name extends string, Value>(
  name: Name,
  fields: TranslatedFields<Name, Value>,
): Translated<Value> {
  return inEveryLanguage((language) => fields[`${name}_${language}` as const])
}
