import { useId } from 'react'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { ExampleImage } from '../../ui/example-image.tsx'
import { useMessages } from '../../ui/language.tsx'
import { SceneTile } from '../scene-tile.tsx'
import type { ControlsProps } from './editor-controls.tsx'
import { RadioButtons } from './radio-buttons.tsx'

/** Where the picture takes place and which shape it has. */
export function SceneControls({ arrangement, onChange }: ControlsProps) {
  const m = useMessages('dashboard')
  const group = useId()
  return (
    <>
      <fieldset className="min-w-0">
        <legend className="sr-only">{m.scene}</legend>
        <div className="-m-1.5 flex snap-x gap-2 overflow-x-auto overscroll-contain p-1.5 sm:grid sm:grid-cols-5 wide:grid-cols-3">
          {sceneNames.map((scene) => (
            <SceneTile
              key={scene}
              group={group}
              value={scene}
              checked={arrangement.scene === scene}
              label={m.scenes[scene]}
              onChoose={() => onChange({ ...arrangement, scene }, null)}
            >
              <ExampleImage folder={scene} kind="scene" alt="" sizes="7rem" />
            </SceneTile>
          ))}
        </div>
      </fieldset>
      <RadioButtons
        label={m.format}
        value={arrangement.aspect}
        options={selfieAspects}
        names={m.formats}
        onChange={(aspect) => onChange({ ...arrangement, aspect }, null)}
      />
    </>
  )
}
