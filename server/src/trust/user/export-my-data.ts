import { Readable } from 'node:stream'
import { CompiledQuery } from 'kysely'
import { listSessions } from '../../accounts/auth/session.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { findRow } from '../../platform/db/rows.ts'
import { readAccount } from '../../ledger/credits/account.ts'
import { readCreditHistory } from '../../ledger/credits/queries.ts'
import { presentGeneration } from '../../selfies/present-generation.ts'
import { listGenerations } from '../../selfies/queries.ts'
import type { OwnedGenerationRow } from '../../selfies/queries.ts'
import { readPictureFile } from '../../selfies/serve-picture.ts'
import { readOtherVariations } from '../../selfies/variations/variation-queries.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { writeZip } from '../../platform/http/zip-stream.ts'
import type { ZipFile } from '../../platform/http/zip-stream.ts'
import { presentPastOrder } from '../../payments/present-order.ts'
import ownRows from './own-rows.json' with { type: 'json' }
import { listOwnOrders } from '../../payments/queries.ts'

type Parts = Pick<TrustParts, 'clock' | 'config' | 'database' | 'images' | 'keys' | 'store'>

/** Whose data it is, and the session that asks. */
type Person = Pick<SignedInUser, 'userId' | 'sessionId'>

/** More than anybody has; a bound all the same. */
const rowsMax = 10_000
/** Pictures of an archive at most: some two gigabytes of them. */
const picturesMax = 2_000

/** Everything that is kept about a person, as one JSON document; the pictures by their addresses. */
export async function exportMyData(parts: Parts, user: Person) {
  const generations = await readGenerations(parts, user)
  return describeData(parts, user, presentSelfies(parts, generations))
}

/** The same for an operator: of pictures what is known, without any address or public link. */
export async function exportForOperator(parts: Parts, user: Person) {
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

/** The same as a ZIP of document and pictures, made while it is sent to spare memory. */
export async function archiveMyData(parts: Parts, user: Person): Promise<Readable> {
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

function readGenerations({ database }: Parts, { userId }: Person) {
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

async function describeData<Selfie>(parts: Parts, user: Person, selfies: Selfie[]) {
  const { database } = parts
  const options = { userId: user.userId, after: undefined, limit: rowsMax }
  const [account, history, orders, sessions, person, own] = await Promise.all([
    readAccount(database, user.userId),
    readCreditHistory(database, options),
    listOwnOrders(database, options),
    listSessions(database, user, parts.clock()),
    findRow(database, 'users', { id: user.userId }),
    readOwnRows(parts, user),
  ])
  return {
    exportedAt: parts.clock().toISOString(),
    account: {
      userId: user.userId,
      email: person?.email,
      username: person?.username,
      referralCode: person?.referral_code,
      createdAt: person?.created_at.toISOString(),
      creditsBalance: account.balance,
      creditsOwed: account.owed,
      totalCreditsEverBought: account.boughtTotal,
      termsVersion: person?.terms_version,
      termsAgreedAt: person?.terms_at,
      emailConfirmedAt: person?.email_confirmed_at,
      languageOfMails: person?.language,
    },
    sessions,
    creditHistory: history,
    orders: orders.map((row) => presentPastOrder(row, user.userId)),
    ...own,
    selfies,
  }
}

/** Redeemed vouchers (as digests), payment reports, calls with request ids, events as a guest. */
async function readOwnRows({ database }: Pick<Parts, 'database'>, { userId }: Person) {
  const read = async (lines: readonly string[]) => {
    const query = CompiledQuery.raw(lines.join(' '), [userId, rowsMax])
    return (await database.executeQuery(query)).rows
  }
  return {
    vouchers: await read(ownRows.vouchers),
    payments: await read(ownRows.payments),
    requests: await read(ownRows.requests),
    events: await read(ownRows.events),
  }
}
