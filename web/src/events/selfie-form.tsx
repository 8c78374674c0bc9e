import type { EventItem } from '@starside/contract/events.ts'
import { GenerationProgress } from '../generation/generation-progress.tsx'
import { OwnPhotoPanel } from '../generation/own-photo-panel.tsx'
import { StudioProblem } from '../generation/studio-problem.tsx'
import { ownFacesMax } from '../generation/toggle-face.ts'
import type { useGenerator } from '../generation/use-generator.ts'
import { usePhotoAddress } from '../generation/use-photo.ts'
import { useMessages } from '../ui/language.tsx'
import { SceneTiles, StarTiles } from './choice-tiles.tsx'
import { useEventChoices } from './use-event-choices.ts'

interface SelfieFormProps {
  event: EventItem
  generator: ReturnType<typeof useGenerator>
}

/** Photo, star and scene on one page, and one button; then the wait for the picture. */
export function SelfieForm({ event, generator }: SelfieFormProps) {
  const m = useMessages('events')
  const choices = useEventChoices(event)
  const { mine, star, missing } = choices
  const { busy, running, problem } = generator
  const address = usePhotoAddress(mine.photo)
  const generate = (isRepeat: boolean): void =>
    void generator.generate(star?.name ?? '', async () => ({
      ...(await choices.prepare()),
      isRepeat,
    }))
  if (running) {
    return <GenerationProgress running={running} previews={[address, star?.image ?? null]} />
  }
  return (
    <div className="grid items-start gap-8 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
      <h2 className="sr-only">{m.make}</h2>
      <OwnPhotoPanel
        title={m.yourPhoto}
        mine={mine}
        facesMax={ownFacesMax(1)}
        disabled={busy}
        onFile={(file) => void mine.choose(file)}
      />
      <div className="grid min-w-0 gap-8">
        <StarTiles event={event} choices={choices} disabled={busy} />
        <SceneTiles event={event} choices={choices} disabled={busy} />
        <StudioProblem
          problem={problem}
          onDismiss={generator.dismissProblem}
          onRepeat={() => generate(true)}
        />
        <div className="grid gap-2">
          <button
            type="button"
            className="button button-main min-h-16 text-2xl"
            aria-disabled={busy || missing !== null}
            aria-describedby="missing"
            onClick={() => {
              if (!busy && missing === null) generate(false)
            }}
          >
            {m.make}
          </button>
          <p id="missing" role="status">
            {missing ?? (event.isQueueFull ? m.queueFull : '')}
          </p>
        </div>
      </div>
    </div>
  )
}
