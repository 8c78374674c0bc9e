import { readTexts } from '@starside/contract/read-texts.ts'

/** Mails to people, in the language that they use. */
export const mailMessages = readTexts('mails')
/** What the server itself says to people in their language; all else is said by the web app. */
export const serverMessages = readTexts('server')
