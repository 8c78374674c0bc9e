import { readFile } from 'node:fs/promises'

/** What the stories type or are given, and what no log may hold. */
const secrets: Record<string, RegExp> = {
  'an e-mail address': /[\w.-]+@example\.(?:com|test|org)/,
  'a password': /secret-1|correct horse/,
  'a bearer token': /Bearer [\w-]{20,}/,
  'a signature': /signature=[\w-]{20,}/,
  'a database address': /postgres(?:ql)?:\/\/\w+:/,
}

/**
 * Reads all that the program printed during the stories and throws when a secret is in it. Mails
 * are left out: without an SMTP server the terminal is where they are delivered.
 */
export async function assertNoSecretsInLog(logFile: string): Promise<void> {
  const log = (await readFile(logFile, 'utf8')).replaceAll(/\n--- Mail to [\s\S]*?\n---\n/g, '\n')
  for (const [name, pattern] of Object.entries(secrets)) {
    const line = log.split('\n').find((text) => pattern.test(text))
    if (line !== undefined)
      throw new Error(`The program's log holds ${name}: ${line.slice(0, 400)}`)
  }
}
