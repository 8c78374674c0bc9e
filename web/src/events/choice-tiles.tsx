import type { EventItem } from '@starside/contract/events.ts'
import { Tiles } from '../generation/picture-tiles.tsx'
import { StarPicture } from '../generation/star-picture.tsx'
import { ExampleImage } from '../ui/example-image.tsx'
import { useMessages } from '../ui/language.tsx'
import type { EventScene, useEventChoices } from './use-event-choices.ts'

interface ChoiceTilesProps {
  event: EventItem
  choices: ReturnType<typeof useEventChoices>
  disabled?: boolean
  /** Called once one was chosen. */
  onChosen?: () => void
}

const large =
  'grid grid-cols-[repeat(auto-fit,minmax(clamp(8rem,16vw,12rem),1fr))] gap-3 *:max-w-80'
const small = 'grid grid-cols-[repeat(auto-fill,6.2rem)] gap-3'

/** The event's stars on large tiles, one of which is chosen. */
export function StarTiles({ event, choices, disabled = false, onChosen }: ChoiceTilesProps) {
  const m = useMessages('events')
  const names = Object.fromEntries(event.stars.map(({ id, name }) => [id, name]))
  return (
    <Tiles
      label={m.chooseStar}
      layout={large}
      value={choices.starId ?? ''}
      options={event.stars.map(({ id }) => id)}
      names={names}
      disabled={disabled}
      onChange={(id) => {
        choices.setStarId(id)
        onChosen?.()
      }}
      renderPicture={(id) => {
        const star = event.stars.find((one) => one.id === id)
        return star ? <StarPicture star={star} alt="" /> : null
      }}
    />
  )
}

/** The event's scenes on tiles; nothing where there is one. */
export function SceneTiles({ event, choices, disabled = false }: ChoiceTilesProps) {
  const m = useMessages('events')
  const { scene, scenes: names } = useMessages('dashboard')
  if (choices.scenes.length < 2) return null
  return (
    <Tiles<EventScene>
      label={scene}
      layout={small}
      value={choices.scene}
      options={choices.scenes}
      names={{ ...names, event: m.eventScene }}
      disabled={disabled}
      onChange={choices.setScene}
      renderPicture={(name) =>
        name === 'event' ? (
          <img
            src={event.backgroundUrl ?? ''}
            alt=""
            className="block aspect-4/5 h-auto w-full object-cover"
          />
        ) : (
          <ExampleImage folder={name} kind="scene" alt="" sizes="12rem" />
        )
      }
    />
  )
}
