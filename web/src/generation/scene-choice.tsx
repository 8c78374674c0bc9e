import {
  sceneNames,
  selfieAspects,
  type SceneName,
  type SelfieAspect,
} from '@starside/contract/scenes.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { useMessages } from '../ui/language.tsx'

interface SceneChoiceProps {
  scene: SceneName
  aspect: SelfieAspect
  disabled: boolean
  onScene: (scene: SceneName) => void
  onAspect: (aspect: SelfieAspect) => void
}

/** Where the picture takes place and which shape it has. */
export function SceneChoice({ scene, aspect, disabled, onScene, onAspect }: SceneChoiceProps) {
  'use memo'
  const m = useMessages('dashboard')
  return (
    <div className="grid gap-4 md:gap-6">
      <fieldset disabled={disabled} className="min-w-0">
        <legend className="mb-2 font-semibold">{m.scene}</legend>
        <div className="-m-1.5 flex snap-x gap-2 overflow-x-auto overscroll-contain p-1.5 sm:grid sm:grid-cols-5">
          {sceneNames.map((name) => (
            <label
              key={name}
              className="group relative block w-24 shrink-0 cursor-pointer snap-start sm:w-auto"
            >
              <input
                type="radio"
                name="scene"
                value={name}
                checked={scene === name}
                className="peer sr-only"
                onChange={() => onScene(name)}
              />
              <span className="block border-3 border-transparent peer-checked:border-red peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-red group-hover:border-ink peer-checked:group-hover:border-red">
                <ExampleImage folder={name} kind="scene" alt="" sizes="6rem" />
              </span>
              <span className="mt-1 block text-xs leading-tight [overflow-wrap:anywhere] peer-checked:font-bold sm:text-sm">
                {m.scenes[name]}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset disabled={disabled}>
        <legend className="mb-2 font-semibold">{m.format}</legend>
        <div className="flex flex-wrap gap-x-5">
          {selfieAspects.map((name) => (
            <label key={name} className="flex min-h-11 cursor-pointer items-center gap-2">
              <input
                type="radio"
                name="aspect"
                value={name}
                checked={aspect === name}
                className="size-5 accent-red"
                onChange={() => onAspect(name)}
              />
              {m.formats[name]}
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  )
}
