import { formatMessage } from '@starside/contract/fill.ts'
import { findLanguage } from '@starside/contract/languages.ts'
import { mailMessages } from './texts.ts'

/** Subject and text of a mail in a stored language; in the default one where that is unknown. */
export function writeMail(
  language: string,
  kind: keyof (typeof mailMessages)['en'],
  names: Record<string, string>,
): { subject: string; text: string } {
  const spoken = findLanguage([language])
  const { subject, text } = mailMessages[spoken][kind]
  return {
    subject: formatMessage(subject, names, spoken),
    text: formatMessage(text, names, spoken),
  }
}
