import type { Config } from '../../config.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { mailSender } from '../../platform/site/mail-sender.ts'
import type { Site } from '../../platform/site/site.ts'

/** Sends mails in the name that operators have set. */
export function openMailer(config: Config, { site, log }: { site: Site; log: Logger }): Mailer {
  return createMailer({
    smtpUrl: config.smtpUrl,
    from: () => mailSender(site.values(), config.siteFallbacks),
    // In production the console is a log, which may hold neither an address nor a link.
    writeToConsole:
      config.environment === 'production' ? undefined : (text) => process.stdout.write(text),
    log,
  })
}
