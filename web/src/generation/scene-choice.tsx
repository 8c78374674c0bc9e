import { useId } from 'react'
import { wishedLooks } from '@starside/contract/arrangement-limits.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { BackgroundPanel, BackgroundTile } from './background-panel.tsx'
import { SceneTile } from './scene-tile.tsx'
import type { useStudioChoices } from './use-studio-choices.ts'

interface SceneChoiceProps {
  choices: ReturnType<typeof useStudioChoices>
  disabled: boolean
}

/** Where the picture takes place, which shape it has and how it is developed. */
export function SceneChoice(props: SceneChoiceProps) {
  'use memo'
  const { choices, disabled } = props
  const { background, change } = choices
  const { scene } = choices.wishes
  const m = useMessages('dashboard')
  return (
    <div className="grid gap-4 md:gap-6">
      <fieldset disabled={disabled} className="min-w-0">
        <legend className="mb-2 font-semibold">{m.scene}</legend>
        <div className="-m-1.5 flex snap-x gap-2 overflow-x-auto overscroll-contain p-1.5 sm:grid sm:grid-cols-5">
          {sceneNames.map((name) => (
            <SceneTile
              key={name}
              group="scene"
              value={name}
              checked={scene === name}
              label={m.scenes[name]}
              onChoose={() => change({ scene: name })}
            >
              <ExampleImage folder={name} kind="scene" alt="" sizes="6rem" />
            </SceneTile>
          ))}
          <SceneTile
            group="scene"
            value="photo"
            checked={scene === 'photo'}
            label={m.ownBackground}
            onChoose={() => change({ scene: 'photo' })}
          >
            <BackgroundTile photo={background.photo} />
          </SceneTile>
        </div>
      </fieldset>
      {scene === 'photo' ? (
        <BackgroundPanel
          background={background}
          disabled={disabled}
          onRemove={() => {
            background.clear()
            change({ scene: 'own' })
          }}
        />
      ) : null}
      <FormatChoice {...props} />
      <LookChoice {...props} />
    </div>
  )
}

function FormatChoice({ choices, disabled }: SceneChoiceProps) {
  const m = useMessages('dashboard')
  const { tightForStory, change } = choices
  const { aspect } = choices.wishes
  const reasonId = useId()
  const isStoryTooTight = tightForStory.length > 0
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-2 font-semibold">{m.format}</legend>
      <div className="flex flex-wrap gap-x-5">
        {selfieAspects.map((name) => {
          const isTooTight = name === '9:16' && isStoryTooTight
          return (
            <label
              key={name}
              className={`flex min-h-11 items-center gap-2 ${isTooTight ? 'cursor-not-allowed text-grey' : 'cursor-pointer'}`}
            >
              <input
                type="radio"
                name="aspect"
                value={name}
                checked={aspect === name}
                // One that was chosen before the photo stays where the keyboard finds it.
                disabled={isTooTight && aspect !== name}
                aria-describedby={isTooTight ? reasonId : undefined}
                className="size-5 accent-red"
                onChange={() => change({ aspect: name })}
              />
              {m.formats[name]}
            </label>
          )
        })}
      </div>
      <p id={reasonId} role="status" className="text-sm empty:hidden">
        {isStoryTooTight ? fill(m.notForStory, { photos: tightForStory.join(', ') }) : ''}
      </p>
    </fieldset>
  )
}

function LookChoice({ choices, disabled }: SceneChoiceProps) {
  const m = useMessages('dashboard')
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-2 font-semibold">{m.look}</legend>
      <div className="flex flex-wrap gap-x-5">
        {wishedLooks.map((name) => (
          <label key={name} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input
              type="radio"
              name="look"
              value={name}
              checked={choices.wishes.look === name}
              className="size-5 accent-red"
              onChange={() => choices.change({ look: name })}
            />
            {m.looks[name]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
