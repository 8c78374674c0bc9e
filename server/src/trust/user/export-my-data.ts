import { Readable } from 'node:stream'
import { listSessions } from '../../accounts/auth/queries.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { readAccount } from '../../ledger/credits/account.ts'
import { readCreditHistory } from '../../ledger/credits/queries.ts'
import { presentGeneration } from '../../selfies/present-generation.ts'
import { listGenerations } from '../../selfies/queries.ts'
import type { OwnedGenerationRow } from '../../selfies/queries.ts'
import { readPictureFile } from '../../selfies/serve-picture.ts'
import { readOtherVariations } from '../../selfies/variations/read-variations.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { writeZip } from '../../platform/http/zip-stream.ts'
import type { ZipFile } from '../../platform/http/zip-stream.ts'
import { presentOrder } from '../../payments/present-order.ts'
import { listOwnOrders } from '../../payments/queries.ts'

type Parts = Pick<TrustParts, 'clock' | 'config' | 'database' | 'images' | 'keys' | 'store'>

/** More than anybody has; a bound all the same. */
const rowsMax = 10_000
/** Pictures of an archive at most: some two gigabytes of them. */
const picturesMax = 2_000

/** Everything that is kept about a person, as one JSON document; the pictures by their addresses. */
export async function exportMyData(parts: Parts, user: SignedInUser) {
  const generations = await readGenerations(parts, user)
  return describeData(parts, user, presentSelfies(parts, generations))
}

/**
 * The same for an operator, who may not open pictures by it: of each what is known about it, without any
 * address, also that of its public link.
 */
export async function exportForOperator(parts: Parts, user: SignedInUser) {
  const generations = await readGenerations(parts, user)
  const selfies = presentSelfies(parts, generations).map(
    ({ generationId, state, celebrity, scene, code, createdAt, finishedAt, ...rest }) => ({
      generationId,
      state,
      celebrity,
      scene,
      code,
      createdAt,
      finishedAt,
      isShared: rest.shareUrl !== null,
      variations: rest.variations.length,
      prompt: rest.prompt,
      consentAt: rest.consentAt,
      consentVersion: rest.consentVersion,
    }),
  )
  return describeData(parts, user, selfies)
}

/**
 * The same as an archive (ZIP) that holds the document and the pictures, as the person may have
 * them. It is made while it is sent, so that its size costs no memory.
 */
export async function archiveMyData(parts: Parts, user: SignedInUser): Promise<Readable> {
  const generations = await readGenerations(parts, user)
  const document = await describeData(parts, user, presentSelfies(parts, generations))
  async function* listFiles(): AsyncGenerator<ZipFile> {
    const bytes = Buffer.from(JSON.stringify(document, null, 2))
    yield { name: 'my-data.json', modifiedAt: parts.clock(), bytes }
    for (const row of generations.slice(0, picturesMax)) {
      const picture = row.state === 'done' ? await readPicture(parts, row) : undefined
      if (picture === undefined) continue
      yield { name: `pictures/${row.id}.jpg`, modifiedAt: row.created_at, bytes: picture }
      for (const other of await readOtherVariations(parts, row)) {
        const name = `pictures/${row.id}/${other.variationId}.jpg`
        yield { name, modifiedAt: row.created_at, bytes: other.bytes }
      }
    }
  }
  return Readable.from(writeZip(listFiles()), { objectMode: false })
}

/** A picture that was deleted since it was listed is left out. */
async function readPicture(parts: Parts, row: OwnedGenerationRow) {
  return readPictureFile(parts, row, 'picture.jpg').catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
}

function readGenerations({ database }: Parts, { userId }: SignedInUser) {
  return listGenerations(database, { userId, after: undefined, limit: rowsMax })
}

function presentSelfies(parts: Parts, generations: OwnedGenerationRow[]) {
  return generations.map((row) => ({
    ...presentGeneration(parts, row),
    prompt: row.prompt,
    consentAt: row.consent_at,
    consentVersion: row.consent_version,
  }))
}

async function describeData<Selfie>(parts: Parts, user: SignedInUser, selfies: Selfie[]) {
  const { database } = parts
  const options = { userId: user.userId, after: undefined, limit: rowsMax }
  const [account, history, orders, sessions, person, vouchers, payments, requests, events] =
    await Promise.all([
      readAccount(database, user.userId),
      readCreditHistory(database, options),
      listOwnOrders(database, options),
      listSessions(database, user, parts.clock()),
      database
        .selectFrom('users')
        .select(['terms_version', 'terms_at', 'email_confirmed_at', 'language'])
        .where('id', '=', user.userId)
        .executeTakeFirstOrThrow(),
      listRedemptions(parts, user),
      listPayments(parts, user),
      listRequests(parts, user),
      listEvents(parts, user),
    ])
  return {
    exportedAt: parts.clock().toISOString(),
    account: {
      userId: user.userId,
      email: user.email,
      username: user.username,
      referralCode: user.referralCode,
      createdAt: user.createdAt.toISOString(),
      creditsBalance: account.balance,
      creditsOwed: account.owed,
      totalCreditsEverBought: account.boughtTotal,
      termsVersion: person.terms_version,
      termsAgreedAt: person.terms_at,
      emailConfirmedAt: person.email_confirmed_at,
      languageOfMails: person.language,
    },
    sessions,
    creditHistory: history,
    vouchers,
    orders: orders.map((row) => presentOrder(row, user.userId)),
    payments,
    requests,
    events,
    selfies,
  }
}

/** Of the codes themselves only digests are kept. */
function listRedemptions({ database }: Pick<Parts, 'database'>, { userId }: SignedInUser) {
  return database
    .selectFrom('voucher_redemptions')
    .select(['redeemed_at as redeemedAt', 'credits'])
    .where('user_id', '=', userId)
    .orderBy('redeemed_at', 'desc')
    .limit(rowsMax)
    .execute()
}

/** What arrived for the orders, as the payment providers reported it. */
function listPayments({ database }: Pick<Parts, 'database'>, { userId }: SignedInUser) {
  return database
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['payments.order_id as orderId', 'payments.provider_status as status'])
    .select(['payments.pay_currency as currency', 'payments.paid_amount as paidAmount'])
    .select(['payments.pay_amount as askedAmount', 'payments.credited as wasCredited'])
    .select('orders.credited_at as creditedAt')
    .where('orders.user_id', '=', userId)
    .orderBy('orders.created_at', 'desc')
    .limit(rowsMax)
    .execute()
}

/** Calls by which operators find somebody who gives a request id; kept for thirty days. */
function listRequests({ database }: Pick<Parts, 'database'>, { userId }: SignedInUser) {
  return database
    .selectFrom('request_notes')
    .select(['request_id as requestId', 'at', 'call', 'status', 'code'])
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .limit(rowsMax)
    .execute()
}

/** Where somebody was a guest, and what they agreed to there. */
function listEvents({ database }: Pick<Parts, 'database'>, { userId }: SignedInUser) {
  return database
    .selectFrom('event_guests')
    .innerJoin('events', 'events.id', 'event_guests.event_id')
    .select(['title', 'event_guests.consent_version as consentVersion', 'joined_at as joinedAt'])
    .where('user_id', '=', userId)
    .execute()
}
