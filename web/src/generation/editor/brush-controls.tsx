import { arrangementLimits, brushKinds } from '@starside/contract/arrangement-limits.ts'
import { useMessages } from '../../ui/language.tsx'
import { ToggleButtons } from '../toggle-buttons.tsx'
import { isFull, usualBrush } from './brush.ts'
import type { ControlsProps } from './editor-controls.tsx'
import { WhoButtons } from './place-controls.tsx'
import { Slider } from './slider.tsx'

const { brushSizeMin, brushSizeMax } = arrangementLimits
const ranges = {
  size: { min: brushSizeMin, max: brushSizeMax, step: 0.01 },
  softness: { min: 0, max: 1, step: 0.05 },
}
const measures = ['size', 'softness'] as const

/** What is painted with, and on whom. */
export function BrushControls(props: ControlsProps) {
  const m = useMessages('variations')
  const { arrangement, selected, brush, onBrush } = props
  const labels = { size: m.measures.size, softness: m.softness }
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
      <div>
        {measures.map((measure) => (
          <Slider
            key={measure}
            label={labels[measure]}
            unit="%"
            value={brush[measure]}
            range={ranges[measure]}
            initial={usualBrush[measure]}
            onChange={(value) => onBrush({ ...brush, [measure]: value })}
            onSettle={() => {}}
          />
        ))}
      </div>
      <p role="status" className="text-ash">
        {isFull(arrangement, selected) ? m.brushFull : m.brushHelp}
      </p>
    </>
  )
}
