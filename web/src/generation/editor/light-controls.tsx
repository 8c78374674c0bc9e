import { useMessages } from '../../ui/language.tsx'
import type { ControlsProps } from './editor-controls.tsx'
import { Slider } from './slider.tsx'

const shares = { min: 0, max: 1, step: 0.05 }
const ranges = { warmth: { ...shares, min: -1 }, blur: shares }
const measures = ['warmth', 'blur'] as const

/** The warmth, and how blurred the background is. */
export function LightControls({ arrangement, initial, onChange, onSettle }: ControlsProps) {
  const m = useMessages('variations')
  return (
    <div>
      {measures.map((measure) => (
        <Slider
          key={measure}
          label={m[measure]}
          unit="%"
          value={arrangement[measure]}
          range={ranges[measure]}
          initial={initial[measure]}
          onChange={(value) => onChange({ ...arrangement, [measure]: value }, measure)}
          onSettle={onSettle}
        />
      ))}
    </div>
  )
}
