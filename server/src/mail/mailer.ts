import nodemailer from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves when the next server took the mail; never throws, a failure is logged. */
  send(mail: Mail): Promise<void>
}

/**
 * Sends by SMTP, or, when no server is set, writes the mail to `writeToConsole`, so that a fresh
 * installation can reset a password without a mail account.
 */
export function createMailer(options: {
  smtpUrl: string | undefined
  from: string
  writeToConsole: (text: string) => void
  log: { error(details: object, message: string): void }
}): Mailer {
  const { smtpUrl } = options
  if (smtpUrl === undefined) {
    return {
      async send(mail) {
        options.writeToConsole(
          `\n--- Mail to ${mail.to} (no SMTP_URL is set) ---\n${mail.subject}\n\n${mail.text}\n---\n`,
        )
      },
    }
  }
  const transport = nodemailer.createTransport(smtpUrl, { from: options.from })
  return {
    async send(mail) {
      try {
        await transport.sendMail(mail)
      } catch (error) {
        options.log.error({ err: error }, 'a mail could not be sent')
      }
    },
  }
}
