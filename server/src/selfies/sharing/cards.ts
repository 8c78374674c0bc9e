import { readFile } from 'node:fs/promises'
import { webFolder } from '../../platform/http/web-app.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { createFairQueue } from '../../platform/http/fair-queue.ts'
import type { SelfieParts } from '../parts.ts'
import { describeSystem } from '../describe-system.ts'
import { readPictureFile } from '../serve-picture.ts'
import { findSharedPicture } from '../shared-picture.ts'
import type { Language } from '@starside/contract/languages.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { isDrawable, makeCard } from './make-card.ts'
import { titleOf } from './share-card.ts'

/** Cards that stay at hand: chats ask for a new link several times within seconds. */
const cardsKeptMax = 64

/** How long a chat may wait for a card to be made. */
const makingMs = 30_000

/**
 * Makes the pictures of cards, each once while it is asked for. Anybody may ask, so one is
 * made at a time on a node, and cards of one person's pictures wait in one line.
 */
export function createCards(parts: SelfieParts, readHomePicture = readExample) {
  const kept = new Map<string, Promise<Buffer>>()
  const making = createFairQueue({
    atOnceMax: 1,
    atOncePerCallerMax: 1,
    waitingMax: 100,
    waitingPerCallerMax: 8,
  })
  const keep = (
    { key, ownerId }: { key: string; ownerId: string },
    make: () => Promise<Buffer>,
  ): Promise<Buffer> => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const card = making.run(ownerId, () => make().then(sign), AbortSignal.timeout(makingMs))
    kept.set(key, card)
    card.catch(() => kept.delete(key))
    const oldest = kept.keys().next().value
    if (kept.size > cardsKeptMax && oldest !== undefined) kept.delete(oldest)
    return card
  }
  const brand = () => parts.site.values()['brand.name']
  const sign = async (bytes: Buffer) => {
    const { systemName, systemVersion } = describeSystem(parts)
    return Buffer.from(await parts.engine.sign({ bytes, systemName, systemVersion }))
  }
  return {
    /**
     * The card of a public link, for somebody in this network. Throws `generation_unknown` once the
     * link was revoked.
     */
    async ofShare(shareId: string, language: Language, network: string): Promise<Buffer> {
      const row = await parts.pictureReads.run(network, () =>
        findSharedPicture(parts.database, shareId),
      )
      if (row === undefined) throw new AppError('generation_unknown')
      // Another variation may be chosen, a purchase takes the mark away, an operator may change the name.
      const key = `${shareId} ${row.clean_key} ${language} ${row.is_premium} ${brand()}`
      return await keep({ key, ownerId: row.user_id }, async () =>
        makeCard(await readPictureFile(parts, row, 'picture.jpg'), {
          ...describeSystem(parts),
          brand: brand(),
          title: isDrawable(row.celebrity)
            ? titleOf(row.celebrity, language)
            : serverMessages[language].card.sharedPlain,
          note: serverMessages[language].card.picture.note,
          call: serverMessages[language].card.picture.call,
          markText: row.is_premium ? undefined : describeSystem(parts).watermarkText,
        }),
      )
    },
    /** The card of links to the site itself. Throws `not_found` where the web app was not built. */
    async ofSite(language: Language): Promise<Buffer> {
      const { home, homeNote, homeCall } = serverMessages[language].card.picture
      const key = `site ${language} ${brand()}`
      return await keep({ key, ownerId: 'site' }, async () =>
        makeCard(await readHomePicture(), {
          ...describeSystem(parts),
          brand: brand(),
          title: home,
          note: homeNote,
          call: homeCall,
          markText: undefined,
        }),
      )
    },
  }
}

/** The picture that the landing page shows first. */
async function readExample(): Promise<Buffer> {
  try {
    return await readFile(`${webFolder}examples/face-1/rafael-montoriva/first-480.jpg`)
  } catch {
    throw new AppError('not_found')
  }
}
