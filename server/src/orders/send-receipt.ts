import { isTestMoney } from '@starside/contract/payment-providers.ts'
import type { Database } from '../db/database.ts'
import type { Mailer } from '../mail/mailer.ts'

/**
 * Mails the buyer that the credits are there; after a late payment that is the only way to learn
 * of it, because nobody looks at the screen any more. A repetition sends a second copy, no credits.
 */
export async function sendReceipt(
  parts: { database: Database; mailer: Mailer; publicUrl: string; siteName: string },
  orderId: string,
): Promise<void> {
  const row = await parts.database
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .select(['users.email', 'orders.price_cents', 'orders.paid_late'])
    .select('orders.provider')
    .select(({ fn }) => fn.coalesce('orders.credits_granted', 'orders.credits').as('credits'))
    .select('orders.credits_granted')
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (row === undefined) return
  const money = isTestMoney(row.provider) ? ' of test money' : ''
  const sum =
    row.credits_granted === null
      ? `of $${(row.price_cents / 100).toFixed(2)}${money}`
      : `for a part of $${(row.price_cents / 100).toFixed(2)}${money}`
  const late = row.paid_late
    ? '\nThe payment arrived after the payment window had closed. It was credited all the same.\n'
    : ''
  await parts.mailer.send({
    to: row.email,
    subject: `${row.credits} credits are yours`,
    text: `Your payment ${sum} has arrived and ${row.credits} credits were added to your account.
${late}
Credits never expire, and your pictures are free of the watermark from now on.

${parts.publicUrl}/dashboard

Order ${orderId}
${parts.siteName}
`,
  })
}
