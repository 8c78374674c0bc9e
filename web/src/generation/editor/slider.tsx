import { useId } from 'react'

interface SliderProps {
  label: string
  /** Shares are shown in percent, angles as they are. */
  unit: '%' | '°'
  value: number
  range: { min: number; max: number; step: number }
  onChange: (value: number) => void
  /** The hand was lifted, or the keys left it. */
  onSettle: () => void
}

/** One measure of an arrangement, by finger, mouse or arrow keys. */
export function Slider({ label, unit, value, range, onChange, onSettle }: SliderProps) {
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
        className="h-11 w-full accent-amber"
        onChange={(event) => onChange(event.target.valueAsNumber)}
        onPointerUp={onSettle}
        onBlur={onSettle}
      />
    </div>
  )
}
