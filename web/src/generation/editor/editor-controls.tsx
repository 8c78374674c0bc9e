import { arrangementLimits, pictureLooks } from '@starside/contract/arrangement-limits.ts'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { useMessages } from '../../ui/language.tsx'
import {
  bringToFront,
  changeSubject,
  subjectRanges,
  swapSides,
  type SubjectMeasure,
} from './adjust-arrangement.ts'
import { Slider } from './slider.tsx'

interface EditorControlsProps {
  arrangement: Arrangement
  /** What each subject is called: the person, and the stars by name. */
  names: readonly string[]
  selected: number
  onSelect: (index: number) => void
  /** `of` names what is being changed, for the steps that can be taken back. */
  onChange: (arrangement: Arrangement, of: string | null) => void
  onSettle: () => void
}

/** Everything of an arrangement as buttons, sliders and lists, for keys and for screen readers. */
export function EditorControls(props: EditorControlsProps) {
  'use memo'
  return (
    <div className="grid gap-6">
      <PlaceControls {...props} />
      <SceneControls {...props} />
      <LightControls {...props} />
      <LookControls {...props} />
    </div>
  )
}

const measures: readonly SubjectMeasure[] = ['size', 'x', 'y', 'turnDegrees']

function PlaceControls(props: EditorControlsProps) {
  const m = useMessages('variations')
  const { arrangement, selected, onChange, onSettle } = props
  const subject = arrangement.subjects[selected]
  if (!subject) return null
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{m.place}</legend>
      <WhoButtons {...props} />
      {measures.map((measure) => (
        <Slider
          key={measure}
          label={m.measures[measure]}
          unit={measure === 'turnDegrees' ? '°' : '%'}
          value={subject[measure]}
          range={subjectRanges[measure]}
          onChange={(value) => {
            const change = { [measure]: value }
            onChange(changeSubject(arrangement, selected, change), `${measure} ${selected}`)
          }}
          onSettle={onSettle}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-film"
          onClick={() => onChange(swapSides(arrangement), null)}
        >
          {m.swapSides}
        </button>
        <button
          type="button"
          className="button button-film"
          disabled={arrangement.frontToBack[0] === selected}
          onClick={() => onChange(bringToFront(arrangement, selected), null)}
        >
          {m.inFront}
        </button>
        <button
          type="button"
          className="button button-film"
          aria-pressed={subject.mirrored}
          onClick={() =>
            onChange(changeSubject(arrangement, selected, { mirrored: !subject.mirrored }), null)
          }
        >
          {m.mirror}
        </button>
      </div>
    </fieldset>
  )
}

function WhoButtons({ names, selected, onSelect }: EditorControlsProps) {
  const m = useMessages('variations')
  return (
    <div role="group" aria-label={m.who} className="flex flex-wrap gap-2">
      {names.map((name, index) => (
        <button
          key={name}
          type="button"
          className={`button button-film ${index === selected ? 'bg-bone text-film' : ''}`}
          aria-pressed={index === selected}
          onClick={() => onSelect(index)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

function SceneControls({ arrangement, onChange }: EditorControlsProps) {
  const m = useMessages('dashboard')
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Choice
        label={m.scene}
        value={arrangement.scene}
        options={sceneNames}
        names={m.scenes}
        onChange={(scene) => onChange({ ...arrangement, scene }, null)}
      />
      <Choice
        label={m.format}
        value={arrangement.aspect}
        options={selfieAspects}
        names={m.formats}
        onChange={(aspect) => onChange({ ...arrangement, aspect }, null)}
      />
    </div>
  )
}

const shares = { min: 0, max: 1, step: 0.05 }

function LightControls({ arrangement, onChange, onSettle }: EditorControlsProps) {
  const m = useMessages('variations')
  const slider = (of: 'light' | 'warmth' | 'blur', range: typeof shares) => (
    <Slider
      label={m[of]}
      unit="%"
      value={arrangement[of]}
      range={range}
      onChange={(value) => onChange({ ...arrangement, [of]: value }, of)}
      onSettle={onSettle}
    />
  )
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{m.lightTitle}</legend>
      {slider('light', shares)}
      {slider('warmth', { ...shares, min: -1 })}
      {slider('blur', shares)}
    </fieldset>
  )
}

function LookControls({ arrangement, onChange, onSettle }: EditorControlsProps) {
  const m = useMessages('variations')
  return (
    <div className="grid gap-3">
      <Choice
        label={m.look}
        value={arrangement.look}
        options={pictureLooks}
        names={m.looks}
        onChange={(look) => onChange({ ...arrangement, look, caption: '' }, null)}
      />
      {arrangement.look === 'instant' ? (
        <label className="grid gap-1">
          {m.caption}
          <input
            type="text"
            className="field"
            aria-describedby="caption-letters"
            value={arrangement.caption}
            maxLength={arrangementLimits.captionCharactersMax}
            onChange={(event) =>
              onChange({ ...arrangement, caption: event.target.value }, 'caption')
            }
            onBlur={onSettle}
          />
          <span id="caption-letters" className="text-[0.95rem] text-ash">
            {m.captionLetters}
          </span>
        </label>
      ) : null}
    </div>
  )
}

interface ChoiceProps<Option extends string> {
  label: string
  value: Option
  options: readonly Option[]
  names: Record<Option, string>
  onChange: (option: Option) => void
}

function Choice<Option extends string>(props: ChoiceProps<Option>) {
  const { label, value, options, names, onChange } = props
  return (
    <label className="grid gap-1 font-semibold">
      {label}
      <select
        className="field min-h-11"
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option === event.target.value)
          if (chosen !== undefined) onChange(chosen)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {names[option]}
          </option>
        ))}
      </select>
    </label>
  )
}
