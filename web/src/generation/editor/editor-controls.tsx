import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { arrangementLimits, pictureLooks } from '@starside/contract/arrangement-limits.ts'
import { useMessages } from '../../ui/language.tsx'
import { FormatTiles, LookTiles, Tiles } from '../picture-tiles.tsx'
import type { Brush } from './brush.ts'
import { BrushControls } from './brush-controls.tsx'
import { EditorTabs, type EditorTab } from './editor-tabs.tsx'
import { PlaceControls } from './place-controls.tsx'
import { SceneThumbnail } from './scene-thumbnail.tsx'
import { Slider } from './slider.tsx'
import type { Preview } from './use-preview.ts'

/** What every part of the controls takes. */
export interface ControlsProps {
  arrangement: Arrangement
  /** As it was when the editor opened. */
  initial: Arrangement
  /** What each subject is called: the person, and the stars by name. */
  names: readonly string[]
  selected: number
  /** The selfie that is adjusted, and the last picture of the server. */
  item: GenerationItem
  preview: Preview
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

const shares = { min: 0, max: 1, step: 0.05 }
const ranges = { warmth: { ...shares, min: -1 }, blur: shares }
const measures = ['warmth', 'blur'] as const

function LightControls({ arrangement, initial, onChange, onSettle }: ControlsProps) {
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

function SceneControls({ arrangement, item, preview, onChange }: ControlsProps) {
  const m = useMessages('dashboard')
  return (
    <>
      <Tiles
        label={m.scene}
        value={arrangement.scene}
        options={sceneNames}
        names={m.scenes}
        onChange={(scene) => onChange({ ...arrangement, scene }, null)}
        renderPicture={(scene) => {
          const made = item.variations.find((variation) => variation.arrangement?.scene === scene)
          return made ? (
            <img
              src={made.thumbnailUrl}
              alt=""
              className="block aspect-4/5 h-auto w-full object-cover"
            />
          ) : (
            <SceneThumbnail scene={scene} preview={preview} />
          )
        }}
      />
      <FormatTiles
        value={arrangement.aspect}
        options={selfieAspects}
        picture={item.thumbnailUrl}
        onChange={(aspect) => onChange({ ...arrangement, aspect }, null)}
      />
    </>
  )
}

/** Nobody can draw them, so that they aren't taken while somebody types. */
const emoji =
  /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f/gu

function LookControls({ arrangement, item, onChange, onSettle }: ControlsProps) {
  const m = useMessages('variations')
  return (
    <>
      <LookTiles
        value={arrangement.look}
        options={pictureLooks}
        picture={item.thumbnailUrl}
        made={Object.fromEntries(item.variations.map((one) => [one.look, one.thumbnailUrl]))}
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
              onChange(
                { ...arrangement, caption: event.target.value.replaceAll(emoji, '') },
                'caption',
              )
            }
            onBlur={onSettle}
          />
          <span id="caption-letters" className="text-[0.95rem] text-ash">
            {m.captionLetters}
          </span>
        </label>
      ) : null}
    </>
  )
}
