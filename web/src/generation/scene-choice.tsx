import type { ReactNode } from 'react'
import {
  sceneNames,
  selfieAspects,
  type SceneName,
  type SelfieAspect,
} from '@starside/contract/scenes.ts'
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
  const sceneTexts: Record<SceneName, string> = {
    own: m.sceneOwn,
    'red-carpet': m.sceneRedCarpet,
    'city-night': m.sceneCityNight,
    'sunny-street': m.sceneSunnyStreet,
    studio: m.sceneStudio,
  }
  const aspectTexts: Record<SelfieAspect, string> = {
    '4:5': m.formatPortrait,
    '1:1': m.formatSquare,
    '16:9': m.formatWide,
  }
  return (
    <div className="grid gap-6">
      <fieldset disabled={disabled}>
        <legend className="mb-2 font-semibold">{m.scene}</legend>
        <div className="grid grid-cols-3 gap-2 sm:grid-cols-5">
          {sceneNames.map((name) => (
            <label key={name} className="group block cursor-pointer">
              <input
                type="radio"
                name="scene"
                value={name}
                checked={scene === name}
                className="peer sr-only"
                onChange={() => onScene(name)}
              />
              <span className="block border-3 border-transparent peer-checked:border-red peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-red group-hover:border-ink peer-checked:group-hover:border-red">
                <ScenePicture scene={name} />
              </span>
              <span className="mt-1 block text-sm leading-tight peer-checked:font-bold">
                {sceneTexts[name]}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset disabled={disabled}>
        <legend className="mb-2 font-semibold">{m.format}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
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
              {aspectTexts[name]}
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** A scene as a small drawing. */
function ScenePicture({ scene }: { scene: SceneName }) {
  const drawings: Record<SceneName, ReactNode> = {
    own: (
      <>
        <rect width="50" height="40" fill="#cfc4b0" />
        <path d="M0 28l14-9 10 7 12-11 14 10v15H0Z" fill="#8c8374" />
        <circle cx="37" cy="9" r="4" fill="#f4efe4" />
        <path
          d="M16 40v-4a9 9 0 0 1 18 0v4Zm9-26a6 6 0 1 1 0 12 6 6 0 0 1 0-12Z"
          fill="none"
          stroke="#15110f"
          strokeWidth="1.500"
          strokeDasharray="2 2"
        />
      </>
    ),
    'red-carpet': (
      <>
        <rect width="50" height="40" fill="#241313" />
        <path d="M19 14h12l14 26H5Z" fill="#b3202b" />
        <path d="M9 40V18M41 40V18" stroke="#e8c46a" strokeWidth="1.600" />
        <path d="M9 20q8 8 12 0M41 20q-8 8-12 0" stroke="#e8c46a" fill="none" strokeWidth="1.200" />
        <g fill="#fff6da">
          <circle cx="8" cy="7" r="1.800" />
          <circle cx="21" cy="4" r="1.200" />
          <circle cx="34" cy="6" r="2.200" />
          <circle cx="44" cy="10" r="1.200" />
        </g>
      </>
    ),
    'city-night': (
      <>
        <rect width="50" height="40" fill="#0f1730" />
        <path d="M0 40V16h8v-6h9v10h7V6h9v12h7v-5h10v27Z" fill="#060a17" />
        <g fill="#ffb21a">
          <path d="M10 14h2v2h-2zM13 20h2v2h-2zM26 10h2v2h-2zM29 16h2v2h-2zM26 22h2v2h-2zM43 18h2v2h-2zM4 22h2v2H4zM46 26h2v2h-2zM20 28h2v2h-2z" />
        </g>
      </>
    ),
    'sunny-street': (
      <>
        <rect width="50" height="40" fill="#a9cfe8" />
        <circle cx="40" cy="8" r="4.500" fill="#fff2b8" />
        <path d="M0 4l13 8v28H0Z" fill="#c77e62" />
        <path d="M50 2L37 12v28h13Z" fill="#e3cfa5" />
        <path d="M13 28h24l13 12H0Z" fill="#8d8a86" />
        <path
          d="M3 12v5M7 14v5M3 21v5M7 22v5M43 12v5M47 10v5M43 22v5M47 21v5"
          stroke="#4b3a33"
          strokeWidth="1.600"
        />
      </>
    ),
    studio: (
      <>
        <path d="M0 0h50v40H0Z" fill="#9a9690" />
        <path d="M0 30q25-8 50 0v10H0Z" fill="#b9b4ac" />
        <path d="M6 4l9 3-3 9-9-3Z" fill="#f4efe4" />
        <path d="M9 12v22M5 34h8" stroke="#15110f" strokeWidth="1.200" />
        <circle cx="42" cy="10" r="5" fill="#f4efe4" />
        <path d="M42 15v19M38 34h8" stroke="#15110f" strokeWidth="1.200" />
      </>
    ),
  }
  return (
    <svg aria-hidden="true" viewBox="0 0 50 40" className="block h-auto w-full">
      {drawings[scene]}
    </svg>
  )
}
