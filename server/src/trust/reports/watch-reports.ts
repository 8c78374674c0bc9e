import { sql } from 'kysely'
import { z } from 'zod'
import type { TrustParts } from '../parts.ts'
import { findRows, updateRows } from '../../platform/db/rows.ts'
import { writeMail } from '../../platform/messages/write-mail.ts'
import { mailMessages } from '../../platform/messages/texts.ts'
import { formatMessage } from '@starside/contract/fill.ts'
import { findLanguage } from '@starside/contract/languages.ts'
import { fromNow } from '../../platform/clock.ts'
import { isRefusedForGood } from '../../platform/mail/mailer.ts'

type Parts = Pick<TrustParts, 'database' | 'clock' | 'mailer' | 'site'>

/** So long before the end of a report's time its operator gets another mail. */
const alarmMs = 12 * 60 * 60_000
const atOnceMax = 50

/** Mails the operator what runs out, then reporters the decision; failed mails go with the next run, refused ones never. */
export async function watchReports(parts: Parts): Promise<void> {
  try {
    await remindOperator(parts)
  } finally {
    await answerReporters(parts)
  }
}

async function answerReporters({ database, clock, mailer, site }: Parts): Promise<void> {
  const resolved = await findRows(
    database,
    'reports',
    sql`resolved_at is not null and answered_at is null order by resolved_at limit ${atOnceMax}`,
  )
  for (const { id, contact, language, outcome } of resolved) {
    if (outcome !== null && z.email().safeParse(contact).success) {
      const spoken = findLanguage([language ?? ''])
      const decision = mailMessages[spoken].reportAnswer[outcome]
      const names = { report: id, site: site.values()['brand.name'], decision }
      const mail = { to: contact, ...writeMail(spoken, 'reportAnswer', names) }
      if (!(await mailer.send(mail).then(() => true, isRefusedForGood))) continue
    }
    await updateRows(database, 'reports', { match: { id }, set: { answered_at: clock() } })
  }
}

async function remindOperator({ database, clock, mailer, site }: Parts): Promise<void> {
  const soon = fromNow({ clock }, alarmMs)
  const due = await findRows(
    database,
    'reports',
    sql`resolved_at is null and reminded_at is null and due_at < ${soon}
      order by due_at limit ${atOnceMax}`,
  )
  const [first] = due
  if (first === undefined) return
  const subject = '{count, plural, one {# report} other {# reports}} to decide by {at}'
  const values = { count: due.length, at: first.due_at.toISOString() }
  await mailer.send({
    to: site.values()['brand.contactEmail'],
    subject: formatMessage(subject, values, 'en'),
    text: due.map(({ id, due_at }) => `${due_at.toISOString()}  ${id}`).join('\n'),
  })
  const ids = due.map(({ id }) => id)
  const reminded = { reminded_at: clock() }
  await database.updateTable('reports').set(reminded).where('id', 'in', ids).execute()
}
