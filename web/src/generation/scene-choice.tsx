import { useId } from 'react'
import { wishedLooks } from '@starside/contract/arrangement-limits.ts'
import { sceneNames, selfieAspects } from '@starside/contract/scenes.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { BackgroundPanel, BackgroundTile } from './background-panel.tsx'
import { FormatTiles, LookTiles, Tiles } from './picture-tiles.tsx'
import { usePhotoAddress } from './use-photo.ts'
import type { ChoicesProps } from './use-studio-choices.ts'

/** Where the picture takes place, which shape it has and how it is developed. */
export function SceneChoice({ choices, disabled }: ChoicesProps) {
  'use memo'
  const { mine, background, tightForStory, change } = choices
  const { scene, aspect, look } = choices.wishes
  const m = useMessages('dashboard')
  const picture = usePhotoAddress(mine.photo)
  const reasonId = useId()
  const isStoryTooTight = tightForStory.length > 0
  return (
    <div className="grid grid-cols-1 gap-4 md:gap-6">
      <Tiles
        label={m.scene}
        value={scene}
        options={[...sceneNames, 'photo']}
        names={{ ...m.scenes, photo: m.ownBackground }}
        disabled={disabled}
        onChange={(chosen) => change({ scene: chosen })}
        renderPicture={(name) =>
          name === 'photo' ? (
            <BackgroundTile photo={background.photo} />
          ) : (
            <ExampleImage folder={name} kind="scene" alt="" sizes="6rem" />
          )
        }
      />
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
      <div className="min-w-0">
        <FormatTiles
          value={aspect}
          options={selfieAspects}
          picture={picture}
          disabled={disabled}
          refused={isStoryTooTight ? { option: '9:16', reasonId } : null}
          onChange={(chosen) => change({ aspect: chosen })}
        />
        <p id={reasonId} role="status" className="text-sm empty:hidden">
          {isStoryTooTight ? fill(m.notForStory, { photos: tightForStory.join(', ') }) : ''}
        </p>
      </div>
      <LookTiles
        value={look}
        options={wishedLooks}
        picture={picture}
        disabled={disabled}
        onChange={(chosen) => change({ look: chosen })}
      />
    </div>
  )
}
