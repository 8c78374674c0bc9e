import { findLanguage } from '@starside/contract/languages.ts'
import { fill } from '@starside/contract/fill.ts'
import { mailMessages } from './mail-messages.ts'

/**
 * Subject and text of a mail in somebody's language.
 * @param language as it is stored; for one that this version doesn't know the default one is taken
 */
export function writeMail(
  language: string,
  kind: keyof (typeof mailMessages)['en'],
  names: Record<string, string>,
): { subject: string; text: string } {
  const { subject, text } = mailMessages[findLanguage([language])][kind]
  return { subject: fill(subject, names), text: fill(text, names) }
}
