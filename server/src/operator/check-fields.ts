import { fill } from '@starside/contract/fill.ts'
import { z } from 'zod'
import issueSentences from './issue-sentences.json' with { type: 'json' }

const sentences = new Map(Object.entries(issueSentences))
export const seeMarkedFields = 'Not saved. Please look at the marked fields.'
const digits = z.string().regex(/^\s*-?\d{1,15}\s*$/)
/** A whole number in decimal digits, as people write it. */
export const wholeNumber = digits.transform(Number)

/** What a schema makes of fields, or why it refuses them, by the field. */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
):
  | { input: z.output<Schema>; problems?: never }
  | { refused: string; problems: Record<string, string> } {
  const parsed = schema.safeParse(fields, { error: sayIssue })
  if (parsed.success) return { input: parsed.data }
  const problems: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) {
    const told = problems[String(path[0] ?? '')] ?? ''
    if (!told.includes(message)) problems[String(path[0] ?? '')] = `${told} ${message}`.trim()
  }
  return { refused: seeMarkedFields, problems }
}

/** What is wrong with a field, where its schema has no sentence of its own. */
const sayIssue: z.core.$ZodErrorMap = (issue) => {
  const { code, input, expected, format, origin, minimum, maximum, values } = issue
  const isMissing = input === undefined || input === ''
  const kind = isMissing ? 'missing' : `${code} ${String(expected ?? format ?? origin)}`
  const limit = Number(minimum ?? maximum).toLocaleString('en')
  const sentence = sentences.get(kind) ?? sentences.get(code) ?? issueSentences.other
  return fill(sentence, { limit, values: Array.isArray(values) ? values.join(', ') : '' })
}
