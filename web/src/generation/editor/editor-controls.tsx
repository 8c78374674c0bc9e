import type { Arrangement } from '@starside/contract/arrangement.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import type { SceneName, SelfieAspect } from '@starside/contract/scenes.ts'
import { arrangementLimits, pictureLooks } from '@starside/contract/arrangement-limits.ts'
import { useMessages } from '../../ui/language.tsx'
import { FormatTiles, LookTiles, ScenePicture, Tiles } from '../picture-tiles.tsx'
import { BrushControls, PlaceControls, Sliders, type ControlsProps } from './place-controls.tsx'
import { usePreview } from './use-preview.ts'
import { useId, useState } from 'react'
import { useRovingFocus } from '../use-roving-focus.ts'
import type { PictureParts } from './draw-parts.ts'
import { PartsCanvas } from './editor-stage.tsx'
import { inFormat } from './adjust-arrangement.ts'
import { keysOf } from '@starside/contract/keys-of.ts'

const controls = {
  place: PlaceControls,
  scene: SceneControls,
  light: LightControls,
  look: LookControls,
  brush: BrushControls,
}
export type EditorTab = keyof typeof controls

type EditorControlsProps = ControlsProps & { tab: EditorTab; onTab: (tab: EditorTab) => void }

/** An arrangement as buttons and sliders, in tabs that arrow keys select (ARIA Authoring Practices). */
export function EditorControls({ tab: selected, onTab, ...props }: EditorControlsProps) {
  'use memo'
  const m = useMessages('variations')
  const { scene, look } = useMessages('dashboard')
  const labels = { place: m.place, scene, light: m.lightTitle, look, brush: m.brush }
  const { group, onKeyDown } = useRovingFocus()
  const id = useId()
  const Controls = controls[selected]
  return (
    <>
      <div
        ref={group}
        role="tablist"
        tabIndex={-1}
        className="sticky top-0 z-10 -mx-2 flex gap-x-1 border-b border-bone/30 bg-film px-2 *:grow wide:static wide:mx-0 wide:px-0"
        onKeyDown={onKeyDown}
      >
        {keysOf(controls).map((tab) => (
          <button
            key={tab}
            id={`${id}-${tab}`}
            type="button"
            role="tab"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- From what closes the editor to what is done in it.
            autoFocus={tab === 'place'}
            aria-selected={tab === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab === selected ? 0 : -1}
            className={`min-h-11 border-b-3 font-semibold ${tab === selected ? 'border-accent-dark' : 'border-transparent text-ash hover:text-bone'}`}
            onClick={() => onTab(tab)}
            onFocus={() => onTab(tab)}
          >
            {labels[tab]}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        className="grid gap-2 pt-2 wide:gap-5 wide:pt-4"
      >
        <Controls {...props} />
      </div>
    </>
  )
}

const range = { min: -1, max: 1, step: 0.05 }
const ranges = { brightness: range, contrast: range, warmth: range, blur: { ...range, min: 0 } }

function LightControls({ arrangement, initial, onChange, onSettle }: ControlsProps) {
  return (
    <Sliders
      labels={useMessages('variations')}
      ranges={ranges}
      values={arrangement}
      initial={initial}
      onChange={(measure, value) => onChange({ ...arrangement, [measure]: value }, measure)}
      onSettle={onSettle}
    />
  )
}

function SceneControls({ arrangement, initial, item, preview, onChange }: ControlsProps) {
  'use memo'
  const m = useMessages('dashboard')
  const inOther = (aspect: SelfieAspect) => inFormat(arrangement, aspect, preview.people, initial)
  return (
    <>
      <FormatTiles
        value={arrangement.aspect}
        options={selfieAspects}
        picture={item.thumbnailUrl}
        onChange={(aspect) => onChange(inOther(aspect), null)}
        renderAbove={(aspect) => <Sketch parts={preview} arrangement={inOther(aspect)} />}
      />
      <Tiles
        label={m.scene}
        value={arrangement.scene}
        options={sceneNames}
        names={m.scenes}
        onChange={(scene) => onChange({ ...arrangement, scene }, null)}
        renderPicture={(scene) => <SceneThumbnail scene={scene} item={item} preview={preview} />}
      />
    </>
  )
}

/** Nobody can draw them, so that they aren't taken while somebody types. */
const emoji =
  /(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f/gu

function LookControls({ arrangement, item, preview, onChange, onSettle }: ControlsProps) {
  const m = useMessages('variations')
  // The looks are shown on what stands there now, without any.
  const plainNow: Arrangement = { ...arrangement, look: 'natural', caption: '' }
  const [plain, setPlain] = useState(plainNow)
  if (JSON.stringify(plainNow) !== JSON.stringify(plain)) setPlain(plainNow)
  const asked = usePreview(item.generationId, plain, { isMoving: false, size: 'small' })
  const write = (caption: string): void => onChange({ ...arrangement, caption }, 'caption')
  return (
    <>
      <LookTiles
        value={arrangement.look}
        options={pictureLooks}
        picture={(asked.preview ?? preview).image}
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
            onChange={(event) => write(event.target.value.replaceAll(emoji, ''))}
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

/** A picture as it is drawn in a tile. */
function Sketch({ parts, arrangement }: { parts: PictureParts; arrangement: Arrangement }) {
  'use memo'
  return <PartsCanvas parts={{ ...parts, markBox: null }} arrangement={arrangement} sidePx={240} />
}

/** Roughly how one's own picture looks in a scene: its people in front of the place. */
function SceneThumbnail(props: { scene: SceneName } & Pick<ControlsProps, 'item' | 'preview'>) {
  'use memo'
  const { scene, item, preview } = props
  const { scene: chosen, look } = preview.arrangement
  const isChosen = scene === chosen
  const own = item.variations.find(({ arrangement }) => arrangement?.scene === 'own')
  return (
    <span className={`relative block ${look === 'black-and-white' ? 'grayscale' : ''}`}>
      <ScenePicture scene={scene} picture={own?.thumbnailUrl ?? item.thumbnailUrl} />
      {/* One's own place without people is known while it is chosen. */}
      {isChosen || scene !== 'own' ? (
        <Sketch
          parts={isChosen ? preview : { ...preview, background: null }}
          arrangement={inFormat(preview.arrangement, '4:5', preview.people)}
        />
      ) : null}
    </span>
  )
}
