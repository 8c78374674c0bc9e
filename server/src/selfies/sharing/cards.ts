import { readFile } from 'node:fs/promises'
import { webFolder } from '../../platform/http/web-app.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { keepNewest } from '../../platform/keep-newest.ts'
import { createFairQueue } from '../../platform/http/fair-queue.ts'
import type { SelfieParts } from '../parts.ts'
import { describeSystem } from '../selfie-marks.ts'
import { readPictureFile } from '../serve-picture.ts'
import { findSharedPicture } from './share-picture.ts'
import type { Language } from '@starside/contract/languages.ts'
import { serverMessages } from '../../platform/messages/texts.ts'
import { isDrawable, makeCard } from './make-card.ts'
import { titleOf } from './share-card.ts'

/** Cards that stay at hand: chats ask for a new link several times within seconds. */
const cardsKeptMax = 64

/** How long a chat may wait for a card to be made. */
const makingMs = 30_000

/** Makes cards, each once while asked for, one at a time on a node, a person's in one line. */
export function createCards(parts: SelfieParts, readHomePicture = readExample) {
  const kept = keepNewest<Promise<Buffer>>(cardsKeptMax)
  const making = createFairQueue({ atOnceMax: 1, waitingMax: 100, waitingPerCallerMax: 8 })
  const keep = ({ key, ownerId }: { key: string; ownerId: string }, make: () => Promise<Buffer>) =>
    kept(key, () => making.run(ownerId, () => make().then(sign), AbortSignal.timeout(makingMs)))
  const brand = () => parts.site.values()['brand.name']
  const sign = async (bytes: Buffer) => {
    const { systemName, systemVersion } = describeSystem(parts)
    return Buffer.from(await parts.engine.sign({ bytes, systemName, systemVersion }))
  }
  const draw = async (
    picture: Buffer,
    words: Record<'title' | 'note' | 'call', string>,
    isMarked: boolean,
  ) => {
    const system = describeSystem(parts)
    const markText = isMarked ? system.watermarkText : undefined
    return await makeCard(picture, { ...system, ...words, markText })
  }
  return {
    /** A public link's card, for this network. Throws `generation_unknown` once it was revoked. */
    async ofShare(shareId: string, language: Language, network: string): Promise<Buffer> {
      const row = await parts.pictureReads.run(network, () =>
        findSharedPicture(parts.database, shareId),
      )
      if (row === undefined) throw new AppError('generation_unknown')
      // Another variation may be shared, a purchase takes the mark away, an operator may change the name.
      const key = `${shareId} ${row.clean_key} ${language} ${row.is_premium} ${brand()}`
      const { sharedPlain, picture: words } = serverMessages[language].card
      const title = isDrawable(row.celebrity) ? titleOf(row, language) : sharedPlain
      return await keep({ key, ownerId: row.user_id }, async () => {
        const picture = await readPictureFile(parts, row, 'picture.jpg')
        return draw(picture, { ...words, title }, !row.is_premium)
      })
    },
    /** The card of links to the site itself. Throws `not_found` where the web app was not built. */
    async ofSite(language: Language): Promise<Buffer> {
      const { home, homeNote, homeCall } = serverMessages[language].card.picture
      const key = `site ${language} ${brand()}`
      const words = { title: home, note: homeNote, call: homeCall }
      return await keep({ key, ownerId: 'site' }, async () =>
        draw(await readHomePicture(), words, false),
      )
    },
  }
}

/** The picture that the landing page shows first. */
async function readExample(): Promise<Buffer> {
  try {
    return await readFile(`${webFolder}examples/face-1/henrik-solmark/first-480.jpg`)
  } catch {
    throw new AppError('not_found')
  }
}
