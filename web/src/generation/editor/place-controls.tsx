import { useMessages } from '../../ui/language.tsx'
import { FilmButton } from '../film-button.tsx'
import { ToggleButtons } from '../toggle-buttons.tsx'
import {
  bringToFront,
  changeSubject,
  subjectRanges,
  swapSides,
  type SubjectMeasure,
} from './adjust-arrangement.ts'
import type { ControlsProps } from './editor-controls.tsx'
import { Slider } from './slider.tsx'

const measures: readonly SubjectMeasure[] = ['size', 'x', 'y', 'turnDegrees']

/** Where the people stand, how large and turned they are, and who is in front. */
export function PlaceControls(props: ControlsProps) {
  const m = useMessages('variations')
  const { arrangement, initial, selected, onChange, onSettle } = props
  const subject = arrangement.subjects[selected]
  if (!subject) return null
  return (
    <>
      <WhoButtons {...props} />
      <div>
        {measures.map((measure) => (
          <Slider
            key={measure}
            label={m.measures[measure]}
            unit={measure === 'turnDegrees' ? '°' : '%'}
            value={subject[measure]}
            range={subjectRanges[measure]}
            initial={initial.subjects[selected]?.[measure] ?? subject[measure]}
            onChange={(value) => {
              const change = { [measure]: value }
              onChange(changeSubject(arrangement, selected, change), `${measure} ${selected}`)
            }}
            onSettle={onSettle}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <FilmButton onClick={() => onChange(swapSides(arrangement), null)}>
          {m.swapSides}
        </FilmButton>
        <FilmButton
          disabled={arrangement.frontToBack[0] === selected}
          onClick={() => onChange(bringToFront(arrangement, selected), null)}
        >
          {m.inFront}
        </FilmButton>
        <FilmButton
          aria-pressed={subject.mirrored}
          onClick={() =>
            onChange(changeSubject(arrangement, selected, { mirrored: !subject.mirrored }), null)
          }
        >
          {m.mirror}
        </FilmButton>
      </div>
    </>
  )
}

/** Whose measures are set, or who is painted on. */
export function WhoButtons({ names, selected, onSelect }: ControlsProps) {
  const m = useMessages('variations')
  return (
    <ToggleButtons
      label={m.who}
      value={selected}
      options={[...names.keys()]}
      nameOf={(index) => names[index] ?? ''}
      onChange={onSelect}
    />
  )
}
