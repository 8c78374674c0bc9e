import type { EventItem } from '@starside/contract/events.ts'
import { GenerationProgress } from '../generation/generation-progress.tsx'
import { OwnPhotoPanel } from '../generation/own-photo-panel.tsx'
import { StudioProblem } from '../generation/studio-problem.tsx'
import { ownFacesMax } from '../generation/toggle-face.ts'
import { useMessages } from '../ui/language.tsx'
import { SceneTiles, StarTiles } from './choice-tiles.tsx'
import type { GuestBooth } from './use-booth.ts'

interface SelfieFormProps {
  event: EventItem
  booth: GuestBooth
}

/** Photo, star and scene on one page, and one button; then the wait for the picture. */
export function SelfieForm({ event, booth }: SelfieFormProps) {
  const m = useMessages('events')
  const { mine, busy, missing } = booth
  if (booth.running) return <GenerationProgress running={booth.running} previews={booth.previews} />
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
        <StarTiles event={event} booth={booth} />
        <SceneTiles event={event} booth={booth} />
        <StudioProblem
          problem={booth.problem}
          onDismiss={booth.dismissProblem}
          onRepeat={() => booth.make(true)}
        />
        <div className="grid gap-2">
          <button
            type="button"
            className="button button-main min-h-16 text-2xl"
            aria-disabled={busy || missing !== null}
            aria-describedby="missing"
            onClick={() => {
              if (!busy && missing === null) booth.make(false)
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
