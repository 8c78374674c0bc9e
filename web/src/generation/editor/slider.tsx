import { useId } from 'react'
import { useMessages } from '../../ui/language.tsx'

interface SliderProps {
  label: string
  /** Shares are shown in percent, angles as they are. */
  unit: '%' | '°'
  value: number
  range: { min: number; max: number; step: number }
  /** What a double press, or the key Delete, leads back to. */
  initial: number
  onChange: (value: number) => void
  /** The hand was lifted, or the keys left it. */
  onSettle: () => void
}

/** One measure of an arrangement, by finger, mouse or arrow keys. */
export function Slider({ label, unit, value, range, initial, onChange, onSettle }: SliderProps) {
  const m = useMessages('variations')
  const id = useId()
  const shown = `${Math.round(unit === '%' ? value * 100 : value)} ${unit}`
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id} className="edge-print text-amber">
          {shown}
        </output>
      </div>
      <input
        id={id}
        type="range"
        {...range}
        value={value}
        aria-valuetext={shown}
        title={m.resetSlider}
        className="h-11 w-full accent-amber"
        onChange={(event) => onChange(event.target.valueAsNumber)}
        onPointerUp={onSettle}
        onDoubleClick={() => onChange(initial)}
        onKeyDown={(event) => {
          if (event.key === 'Delete' || event.key === 'Backspace') onChange(initial)
        }}
        onBlur={onSettle}
      />
    </div>
  )
}
