import { bringWorkIntoView } from '../ui/bring-into-view.ts'
import { useMessages } from '../ui/language.tsx'
import { fill } from '@starside/contract/fill.ts'
import { minutesText, useNow } from '../ui/use-elapsed.ts'
import type { RunningGeneration } from './generator-state.ts'
import { generationStages } from '@starside/contract/scenes.ts'
import type { GenerationStage, SelfieAspect } from '@starside/contract/scenes.ts'

const clockFromMs = 3_000

interface GenerationProgressProps {
  running: RunningGeneration
  /** Pictures of both people, which come up faintly on the paper. */
  previews: readonly (string | null)[]
  /** The format of what is made; on a phone the paper is 4:5 always. */
  aspect?: SelfieAspect | undefined
}

/** How far the picture is: both people come up on the paper as the stages pass. */
export function GenerationProgress({ running, previews, aspect = '4:5' }: GenerationProgressProps) {
  const m = useMessages('dashboard')
  const nowMs = useNow(true)
  const percent = percentOf(running.stage, running.stagePercent)
  const elapsedMs = nowMs - running.startedAtMs
  const current = running.stage ?? 'queued'
  return (
    <div
      className="result-print overflow-hidden md:[--aspect:var(--made)]"
      style={{ ['--made' as string]: `calc(${aspect.replace(':', ' / ')})` }}
    >
      <div
        ref={bringWorkIntoView}
        className="aspect-4/5 md:aspect-(--aspect) animate-[sway_2.4s_ease-in-out_infinite_alternate] bg-[#efe6d8] text-[#15110f]"
      >
        <div
          aria-hidden="true"
          className="absolute inset-0"
          style={{ opacity: 0.12 + (percent / 100) * 0.6 }}
        >
          {/* Over each other: who stands where isn't known yet. */}
          {previews.map((preview) =>
            preview ? (
              <img
                key={preview}
                src={preview}
                alt=""
                className="absolute size-full object-cover blur-[10px] contrast-75 grayscale mix-blend-multiply"
              />
            ) : null,
          )}
        </div>
        <div className="relative flex size-full flex-col justify-end">
          <div className="bg-[#efe6d8]/88 p-3 sm:p-4">
            <p className="display narrow text-2xl">{m.generating}</p>
            <div
              role="progressbar"
              aria-label={m.generating}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={percent}
              aria-valuetext={`${m.stages[current]}, ${percent} %`}
              className="mt-2 h-2 border border-[#15110f]"
            >
              <div
                // Without a transition: it would lag behind the steps.
                className="h-full origin-left bg-accent-light"
                style={{ transform: `scaleX(${Math.max(0.03, percent / 100)})` }}
              />
            </div>
            <ol className="stages mt-3 grid gap-x-3 text-[0.85rem] leading-snug sm:grid-cols-2">
              {/* 'done', the last one, is the picture itself. */}
              {generationStages.slice(0, -1).map((stage) => (
                <li key={stage} aria-current={stage === current ? 'step' : undefined}>
                  {m.stages[stage]}
                </li>
              ))}
            </ol>
            {/* What is over at once needs no clock, only its room. */}
            <p className={`edge-print mt-2 ${elapsedMs < clockFromMs ? 'invisible' : ''}`}>
              {fill(m.elapsed, { time: minutesText(elapsedMs) })}
              {running.expectedMs === null
                ? null
                : ` · ${fill(m.usually, { time: minutesText(running.expectedMs + 999) })}`}
            </p>
          </div>
        </div>
      </div>
      <p role="status" className="sr-only">
        {m.generating} {m.stages[current]}
      </p>
    </div>
  )
}

/** How far a generation is, 0 to 100, as its stage is; a null stage is 'not yet accepted'. */
export function percentOf(stage: GenerationStage | null, stagePercent = 0): number {
  if (stage === null) return 0
  const stagesDone = generationStages.indexOf(stage) + (stage === 'done' ? 0 : stagePercent / 100)
  return Math.round((stagesDone / (generationStages.length - 1)) * 100)
}
