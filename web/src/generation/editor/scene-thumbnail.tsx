import { useEffect, useRef, useState } from 'react'
import type { SceneName } from '@starside/contract/scenes.ts'
import { ExampleImage } from '../../ui/example-image.tsx'
import { exampleSrc } from '../../ui/example-list.ts'
import { drawParts } from './draw-parts.ts'
import type { Preview } from './use-preview.ts'

const sizePx = { width: 192, height: 240 }

/** Roughly how one's own picture looks in a scene: its people in front of the place. */
export function SceneThumbnail({ scene, preview }: { scene: SceneName; preview: Preview }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    const scratch = document.createElement('canvas').getContext('2d')
    if (scene === 'own' || !context || !scratch) return
    let isWanted = true
    const background = new Image()
    background.src = exampleSrc(scene, 'backdrop')
    const draw = (): void => {
      if (!isWanted) return
      drawParts(context, scratch, { ...preview, background }, preview.arrangement)
      setDrawn(true)
    }
    // Without the place the example stays.
    background.decode().then(draw, () => undefined)
    return () => {
      isWanted = false
    }
  }, [scene, preview])
  return (
    <span className="relative block">
      <ExampleImage folder={scene} kind="scene" alt="" sizes="7rem" />
      <canvas
        ref={canvas}
        {...sizePx}
        className={`absolute inset-0 size-full ${isDrawn ? '' : 'invisible'}`}
      />
    </span>
  )
}
