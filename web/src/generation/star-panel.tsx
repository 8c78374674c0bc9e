import { useState } from 'react'
import type { CelebrityPreset } from '@starside/contract/presets.ts'
import defaultStar from '../assets/example/star-480.jpg'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { EmptyFrame, Frame } from './frame.tsx'
import { PhotoCoach } from './photo-coach.tsx'
import { PhotoSource } from './photo-source.tsx'
import { PhotoView } from './photo-view.tsx'
import type { usePhoto } from './use-photo.ts'
import type { Presets } from './use-presets.ts'

interface StarPanelProps {
  custom: ReturnType<typeof usePhoto>
  presets: Presets
  presetId: string | null
  onPreset: (id: string | null) => void
  disabled: boolean
}

/** PERSON 2: a photo of one's own, or one of the preset stars. */
export function StarPanel({ custom, presets, presetId, onPreset, disabled }: StarPanelProps) {
  'use memo'
  const m = useMessages('dashboard')
  const list = presets.state === 'ready' ? presets.list : []
  const preset = list.find((candidate) => candidate.id === presetId)
  const badge = custom.photo ? m.badgeCustom : preset ? m.badgeStar : null
  const choose = (file: File): void => {
    onPreset(null)
    void custom.choose(file)
  }
  return (
    <Frame
      number="1A"
      title={m.person2}
      badge={badge}
      {...(disabled ? {} : { onDropFile: choose })}
      picture={
        custom.photo ? (
          <PhotoView photo={custom.photo} alt={m.customPhotoAlt} onChooseFace={custom.chooseFace} />
        ) : preset ? (
          <PresetPicture preset={preset} alt={fill(m.starPhotoAlt, { name: preset.name })} />
        ) : (
          <EmptyFrame>{m.dropStarHere}</EmptyFrame>
        )
      }
    >
      <PhotoSource
        label={custom.photo ? m.changePhoto : m.uploadPhoto}
        inputName={`${m.person2}: ${m.uploadPhoto}`}
        facing="environment"
        disabled={disabled}
        onFile={choose}
      >
        {custom.photo || preset ? (
          <button
            type="button"
            className="button button-film"
            disabled={disabled}
            onClick={() => {
              custom.clear()
              onPreset(null)
            }}
          >
            {m.clearSelection}
          </button>
        ) : null}
      </PhotoSource>
      {custom.photo ? <PhotoCoach photo={custom.photo} /> : null}
      {custom.photo ? null : (
        <div>
          <p id="presets-label" className="edge-print mb-2 text-ash">
            {m.orChoosePreset}
          </p>
          {presets.state === 'loading' ? <p role="status">{m.presetsLoading}</p> : null}
          {presets.state === 'failed' ? (
            <p role="alert">
              {m.presetsFailed}{' '}
              <button type="button" className="text-link" onClick={presets.retry}>
                {m.tryAgain}
              </button>
            </p>
          ) : null}
          <div role="group" aria-labelledby="presets-label" className="grid grid-cols-3 gap-2">
            {list.map((candidate) => (
              <button
                key={candidate.id}
                type="button"
                aria-pressed={candidate.id === presetId}
                disabled={disabled}
                className="group min-w-0 text-left"
                onClick={() => onPreset(candidate.id)}
              >
                <span
                  className={`block border-3 ${candidate.id === presetId ? 'border-safelight' : 'border-transparent group-hover:border-bone'}`}
                >
                  <PresetPicture preset={candidate} alt="" />
                </span>
                <span className="edge-print mt-1 block truncate">{candidate.name}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </Frame>
  )
}

/** A preset's picture, or its name with 'Image unavailable' when the picture does not load. */
function PresetPicture({ preset, alt }: { preset: CelebrityPreset; alt: string }) {
  const m = useMessages('dashboard')
  const [failed, setFailed] = useState<string | null>(null)
  const source = preset.image || defaultStar
  if (failed === source) {
    return (
      <span className="grid aspect-4/5 place-items-center border border-ash/45 p-1 text-center text-sm">
        <span>
          <span className="block font-semibold">{preset.name}</span>
          {m.imageUnavailable}
        </span>
      </span>
    )
  }
  return (
    <img
      src={source}
      alt={alt}
      width={480}
      height={600}
      className="block aspect-4/5 h-auto w-full object-cover"
      onError={() => setFailed(source)}
    />
  )
}
