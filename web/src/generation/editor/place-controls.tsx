import { useId, type ReactNode } from 'react'
import { arrangementLimits, brushKinds } from '@starside/contract/arrangement-limits.ts'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { fill } from '@starside/contract/fill.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { useMessages } from '../../ui/language.tsx'
import { FilmButton, ToggleButtons } from '../../ui/button.tsx'
import { changeDepth, changeWhole, neighboursOf, subjectRanges } from './adjust-arrangement.ts'
import { swapSides } from './adjust-arrangement.ts'
import { usualBrush, type Brush } from './brush.ts'
import type { Preview } from './use-preview.ts'

/** What every part of the controls takes. */
export interface ControlsProps {
  arrangement: Arrangement
  /** As it was when the editor opened. */
  initial: Arrangement
  /** What each subject is called: the person, and the stars by name. */
  names: readonly string[]
  selected: number
  item: GenerationItem
  preview: Preview
  brush: Brush
  onBrush: (brush: Brush) => void
  onSelect: (index: number) => void
  /** `of` names what is being changed, for the steps that can be taken back. */
  onChange: (arrangement: Arrangement, of: string | null) => void
  onSettle: () => void
}

/** Where the people stand and who is in front, how large and turned they are, and their own light. */
export function PlaceControls(props: ControlsProps) {
  const m = useMessages('variations')
  const { arrangement, initial, selected, names, preview, onChange, onSettle } = props
  const subject = arrangement.subjects[selected]!
  const pair = neighboursOf(arrangement, selected)
  const [one = '', other = ''] = pair.map((index) => names[index])
  const take = (changed: Arrangement): void => onChange(changed, null)
  const change = (measures: Partial<ArrangedSubject>) =>
    changeWhole(arrangement, preview.people, selected, measures)
  return (
    <>
      <WhoButtons {...props} />
      <div className="flex flex-wrap gap-2 max-sm:*:px-2.5 max-sm:*:text-[0.9rem]">
        <FilmButton onClick={() => take(swapSides(arrangement, preview.people, pair))}>
          {names.length > 2 ? fill(m.swapWith, { one, other }) : m.swapSides}
        </FilmButton>
        <FilmButton onClick={() => take(changeDepth(arrangement, selected))}>
          {arrangement.frontToBack[0] === selected ? m.toBack : m.inFront}
        </FilmButton>
        <FilmButton
          aria-pressed={subject.mirrored}
          onClick={() => take(change({ mirrored: !subject.mirrored }))}
        >
          {m.mirror}
        </FilmButton>
      </div>
      <Sliders
        labels={m.measures}
        ranges={subjectRanges}
        values={subject}
        initial={initial.subjects[selected] ?? subject}
        onChange={(measure, value) =>
          onChange(change({ [measure]: value }), `${measure} ${selected}`)
        }
        onSettle={onSettle}
      />
    </>
  )
}

/** Whose measures are set, or who is painted on. */
function WhoButtons({ names, selected, onSelect }: ControlsProps) {
  return (
    <ToggleButtons
      label={useMessages('variations').who}
      value={selected}
      options={[...names.keys()]}
      nameOf={(index) => names[index] ?? ''}
      onChange={onSelect}
    />
  )
}

const { brushSizeMin, brushSizeMax } = arrangementLimits
const brushRanges = {
  size: { min: brushSizeMin, max: brushSizeMax, step: 0.01 },
  softness: { min: 0, max: 1, step: 0.05 },
}

/** What is painted with, and on whom. */
export function BrushControls(props: ControlsProps) {
  const m = useMessages('variations')
  const { brush, onBrush } = props
  return (
    <>
      <WhoButtons {...props} />
      <ToggleButtons
        label={m.brush}
        value={brush.kind}
        options={brushKinds}
        nameOf={(kind) => m.brushKinds[kind]}
        onChange={(kind) => onBrush({ ...brush, kind })}
      />
      <Sliders
        labels={{ size: m.measures.size, softness: m.softness }}
        ranges={brushRanges}
        values={brush}
        initial={usualBrush}
        onChange={(measure, value) => onBrush({ ...brush, [measure]: value })}
      />
    </>
  )
}

type Range = { min: number; max: number; step: number; unit?: '°'; isRelative?: boolean }

interface SlidersProps<Measure extends string> {
  labels: Record<NoInfer<Measure>, string>
  /** Degrees are shown as they are, shares in percent, or in percent of the initial value. */
  ranges: Record<Measure, Range>
  values: Partial<Record<NoInfer<Measure>, number | undefined>>
  /** What a double press, or the key Delete, leads back to. */
  initial: SlidersProps<Measure>['values']
  onChange: (measure: Measure, value: number) => void
  /** The hand was lifted, or the keys left it. */
  onSettle?: () => void
}

/** Measures, each set by finger, mouse or arrow keys. */
export function Sliders<Measure extends string>(props: SlidersProps<Measure>): ReactNode {
  const m = useMessages('variations')
  const { labels, ranges, values, initial, onChange, onSettle } = props
  const id = useId()
  return (
    <div className="grid grid-cols-2 gap-x-6 wide:grid-cols-1">
      {keysOf(ranges).map((measure) => {
        const { unit = '%', isRelative = false, ...range } = ranges[measure]
        const value = values[measure] ?? 0
        const whole = isRelative ? (initial[measure] ?? 1) : 1
        const shown = `${Math.round((value / whole) * (unit === '%' ? 100 : 1))} ${unit}`
        const reset = () => onChange(measure, initial[measure] ?? 0)
        return (
          <div key={measure} className="slider">
            <div className="-mb-3 flex items-baseline justify-between gap-2 wide:mb-0">
              <label htmlFor={id + measure}>{labels[measure]}</label>
              <output htmlFor={id + measure} className="edge-print whitespace-nowrap text-amber">
                {shown}
              </output>
            </div>
            <input
              id={id + measure}
              type="range"
              {...range}
              value={value}
              aria-valuetext={shown}
              title={m.resetSlider}
              className="h-11 w-full accent-amber"
              onChange={(event) => onChange(measure, event.target.valueAsNumber)}
              onPointerUp={onSettle}
              onDoubleClick={reset}
              onKeyDown={(event) => {
                if (event.key === 'Delete' || event.key === 'Backspace') reset()
              }}
              onBlur={onSettle}
            />
          </div>
        )
      })}
    </div>
  )
}
