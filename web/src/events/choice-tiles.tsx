import { ScenePicture, Tiles } from '../generation/picture-tiles.tsx'
import { StarPicture } from '../generation/star-picture.tsx'
import { useMessages } from '../ui/language.tsx'
import { usePhotoAddress } from '../generation/use-photo.ts'
import type { GuestBooth } from './use-guest.ts'

const large =
  'grid grid-cols-3 gap-3 *:max-w-80 sm:[@media(min-aspect-ratio:2/3)]:grid-cols-[repeat(auto-fit,minmax(clamp(8rem,14vw,12rem),1fr))]'
const small = 'grid grid-cols-[repeat(auto-fill,6.2rem)] gap-3'

/** The event's stars on large tiles, three beside each other on a phone, one of which is chosen. */
export function StarTiles({ booth, onChosen }: { booth: GuestBooth; onChosen?: () => void }) {
  const m = useMessages('events')
  const { stars } = booth.event
  return (
    <Tiles
      id="star"
      label={m.chooseStar}
      layout={large}
      value={booth.starId ?? ''}
      options={stars.map(({ id }) => id)}
      names={Object.fromEntries(stars.map(({ id, name }) => [id, name]))}
      disabled={booth.busy}
      onChange={(id) => {
        booth.setStarId(id)
        onChosen?.()
      }}
      renderPicture={(id) => <StarPicture star={stars.find((star) => star.id === id)!} alt="" />}
    />
  )
}

/** The event's scenes behind the name of the one that is chosen; nothing where there is one. */
export function SceneFold({ booth }: { booth: GuestBooth }) {
  const { scene, changeWishes } = useMessages('dashboard')
  const names = useSceneNames()
  if (booth.scenes.length < 2) return null
  return (
    <details>
      <summary className="flex min-h-12 cursor-pointer items-center gap-3">
        <span className="edge-print text-ash">{scene}</span>
        <span className="font-semibold">{names[booth.scene]}</span>
        <span className="text-link ml-auto font-semibold">{changeWishes}</span>
      </summary>
      <SceneTiles booth={booth} />
    </details>
  )
}

/** The event's scenes on tiles; nothing where there is one. */
export function SceneTiles({ booth, layout = small }: { booth: GuestBooth; layout?: string }) {
  const m = useMessages('dashboard')
  const names = useSceneNames()
  const picture = usePhotoAddress(booth.mine.photo)
  if (booth.scenes.length < 2) return null
  return (
    <Tiles
      label={m.scene}
      layout={layout}
      value={booth.scene}
      options={booth.scenes}
      names={names}
      disabled={booth.busy}
      onChange={booth.setScene}
      renderPicture={(name) => (
        <ScenePicture scene={name} picture={picture} place={booth.event.backgroundUrl} />
      )}
    />
  )
}

function useSceneNames() {
  return { ...useMessages('dashboard').scenes, photo: useMessages('events').eventScene }
}
