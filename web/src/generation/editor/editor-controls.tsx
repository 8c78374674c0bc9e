import type { Arrangement } from '@starside/contract/arrangement.ts'
import { useMessages } from '../../ui/language.tsx'
import type { Brush } from './brush.ts'
import { BrushControls } from './brush-controls.tsx'
import { EditorTabs, type EditorTab } from './editor-tabs.tsx'
import { LightControls } from './light-controls.tsx'
import { LookControls } from './look-controls.tsx'
import { PlaceControls } from './place-controls.tsx'
import { SceneControls } from './scene-controls.tsx'

/** What every part of the controls takes. */
export interface ControlsProps {
  arrangement: Arrangement
  /** As it was when the editor opened. */
  initial: Arrangement
  /** What each subject is called: the person, and the stars by name. */
  names: readonly string[]
  selected: number
  brush: Brush
  onBrush: (brush: Brush) => void
  onSelect: (index: number) => void
  /** `of` names what is being changed, for the steps that can be taken back. */
  onChange: (arrangement: Arrangement, of: string | null) => void
  onSettle: () => void
}

interface EditorControlsProps extends ControlsProps {
  tab: EditorTab
  onTab: (tab: EditorTab) => void
}

const controls = {
  place: PlaceControls,
  scene: SceneControls,
  light: LightControls,
  look: LookControls,
  brush: BrushControls,
} satisfies Record<EditorTab, (props: ControlsProps) => unknown>

/** Everything of an arrangement as buttons, sliders and lists, for keys and for screen readers. */
export function EditorControls({ tab, onTab, ...props }: EditorControlsProps) {
  'use memo'
  const m = useMessages('variations')
  const { scene, look } = useMessages('dashboard')
  const labels = { place: m.place, scene, light: m.lightTitle, look, brush: m.brush }
  const Controls = controls[tab]
  return (
    <EditorTabs selected={tab} labels={labels} onSelect={onTab}>
      <Controls {...props} />
    </EditorTabs>
  )
}
