import type { ReactNode } from 'react'
import { ExampleImage } from '../ui/example-image.tsx'
import { useMessages } from '../ui/language.tsx'
import { BackgroundTile } from './background-panel.tsx'
import { SceneChoice } from './scene-choice.tsx'
import type { ChoicesProps } from './use-studio-choices.ts'
import { PromptField } from './wish-fields.tsx'

/** What is wished for besides the photos, in one line; unfolded, the ways to change it. */
export function WishLine({ choices, disabled }: ChoicesProps) {
  'use memo'
  const m = useMessages('dashboard')
  const { wishes, change, background } = choices
  const { scene, aspect, look, prompt } = wishes
  return (
    <details
      className="group/wishes"
      onToggle={({ currentTarget: line }) => {
        if (line.open) line.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
      }}
    >
      <summary className="flex min-h-12 cursor-pointer items-center gap-x-3 py-1 md:gap-x-8">
        <Wish label={m.scene} value={scene === 'photo' ? m.ownBackground : m.scenes[scene]}>
          <span className="block w-7">
            {scene === 'photo' ? (
              <BackgroundTile photo={background.photo} />
            ) : (
              <ExampleImage folder={scene} kind="scene" alt="" sizes="2rem" />
            )}
          </span>
        </Wish>
        <Wish label={m.format} value={m.formats[aspect]}>
          <span
            className="block w-7 border-2 border-current"
            style={{ aspectRatio: aspect.replace(':', '/'), maxHeight: '2.2rem' }}
          />
        </Wish>
        <Wish label={m.look} value={m.looks[look]} />
        <span className="truncate text-grey max-md:hidden">{prompt}</span>
        <span className="text-link ml-auto shrink-0 font-semibold">
          <span className="max-sm:hidden">{m.changeWishes}</span>
          <span aria-hidden="true" className="ml-1 inline-block group-open/wishes:rotate-180">
            ▾
          </span>
        </span>
      </summary>
      <div className="grid gap-x-16 gap-y-5 py-4 lg:grid-cols-[1.2fr_1fr]">
        <SceneChoice choices={choices} disabled={disabled} />
        <PromptField
          prompt={prompt}
          disabled={disabled}
          onPrompt={(words) => change({ prompt: words })}
        />
      </div>
    </details>
  )
}

function Wish(props: { label: string; value: string; children?: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5 leading-tight">
      {props.children}
      <span className="min-w-0">
        <span className="edge-print block text-grey">{props.label}</span>
        <span className="block font-semibold max-md:text-[0.9rem]">{props.value}</span>
      </span>
    </span>
  )
}
