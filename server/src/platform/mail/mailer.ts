import { setTimeout as delay } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import { createBackgroundWork } from '../background-work.ts'
import { AppError } from '../errors/app-error.ts'
import { readObject } from '../http/read-object.ts'

export type Mail = { to: string; subject: string; text: string }

/** Who a mail comes from: a header's text as it stands, or a name and an address. */
export type MailSender = string | { name: string; address: string }

export interface Mailer {
  /** False when mails go nowhere, so that nobody is told to wait for one. */
  isSetUp: boolean
  /** Resolves when the next server took the mail. A failure is logged and thrown, without the server's sentence: it names the recipient. */
  send(mail: Mail): Promise<void>
}

/** Sends by SMTP; without a server to `writeToConsole`, else the mail is dropped. */
export function createMailer(options: {
  smtpUrl: string | undefined
  /** Asked for each mail, as an operator may change it. */
  from: () => MailSender
  writeToConsole: ((text: string) => void) | undefined
  log: { error(details: object, message: string): void }
}): Mailer {
  const { smtpUrl, writeToConsole } = options
  if (smtpUrl === undefined) {
    if (writeToConsole === undefined) return { isSetUp: false, async send() {} }
    return {
      isSetUp: true,
      async send(mail) {
        writeToConsole(
          `\n--- Mail to ${mail.to} (no SMTP_URL is set) ---\n${mail.subject}\n\n${mail.text}\n---\n`,
        )
      },
    }
  }
  const transport = nodemailer.createTransport(smtpUrl)
  return {
    isSetUp: true,
    async send(mail) {
      try {
        // As an address, as a text would be read as a list of them.
        const to = { name: '', address: mail.to }
        await transport.sendMail({ ...mail, to, from: options.from() })
      } catch (error) {
        const { code, command, responseCode } = readObject(error)
        const failure = new Error(`the mail server: ${String(responseCode ?? code)}`)
        if (command === 'RCPT TO') failure.cause = responseCode
        options.log.error({ err: failure }, 'a mail could not be sent')
        throw failure
      }
    },
  }
}

/** Whether a recipient was refused for good, and not for now (RFC 5321, section 4.2.1). Throws other failures of a mail on. */
export function isRefusedForGood(failure: unknown): boolean {
  const { cause } = failure instanceof Error ? failure : {}
  if (typeof cause !== 'number') throw failure
  return cause >= 500
}

/** A mail server that is restarted, or wants a stranger to come again, takes the mail then. */
const retryDelaysMs = [10_000, 60_000, 600_000]

const inBackground = createBackgroundWork(() => undefined)
let ending = new AbortController()

/** Sends and retries while this program runs: for secret links, which no job may keep, and news. */
export function sendInBackground(
  mailer: Pick<Mailer, 'send'>,
  mail: Mail,
  wait: (ms: number, signal: AbortSignal) => Promise<unknown> = (ms, signal) =>
    delay(ms, undefined, { ref: false, signal }),
): void {
  const { signal } = ending
  inBackground.run(async () => {
    for (const delayMs of [...retryDelaysMs, undefined]) {
      const isSent = await mailer.send(mail).then(
        () => true,
        () => false,
      )
      if (isSent || delayMs === undefined || signal.aborted) return
      await wait(delayMs, signal).catch(() => undefined)
    }
  })
}

/** Sends the mails that wait for another try at once; resolves when all are sent, or after `timeoutMs`. */
export async function endMails(timeoutMs: number): Promise<void> {
  ending.abort()
  ending = new AbortController()
  const inTime = new AbortController()
  const late = delay(timeoutMs, undefined, { ref: false, signal: inTime.signal })
  await Promise.race([inBackground.settled(), late.catch(() => undefined)])
  inTime.abort()
}

/** What doesn't work on an installation without a mail server; undefined where there is one. */
export function describeMissingMail(mailer: Pick<Mailer, 'isSetUp'>): string | undefined {
  if (mailer.isSetUp) return undefined
  return (
    "SMTP_URL is not set, so no mail is sent: forgotten passwords can't be reset, e-mails are not " +
    'confirmed, and nobody hears of new sign-ins, payments or reports.'
  )
}

/** Throws `mail_not_set_up` where a call needs a mail to be sent. */
export function assertMailIsSetUp(mailer: Pick<Mailer, 'isSetUp'>): void {
  if (!mailer.isSetUp) throw new AppError('mail_not_set_up')
}
