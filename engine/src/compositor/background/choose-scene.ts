import type { Scene } from '../../image-provider.ts'

/** Words of a prompt that name a scene, in the interface's three languages, lower case. */
const sceneWords: readonly (readonly [Exclude<Scene, 'own'>, readonly string[]])[] = [
  [
    'red-carpet',
    [
      'red carpet',
      'premiere',
      'award',
      'oscar',
      'gala',
      'paparazzi',
      'alfombra roja',
      'estreno',
      'premios',
      '红毯',
      '首映',
      '颁奖',
    ],
  ],
  [
    'city-night',
    [
      'night',
      'neon',
      'city lights',
      'times square',
      'club',
      'concert',
      'noche',
      'neón',
      'concierto',
      '夜',
      '霓虹',
      '演唱会',
    ],
  ],
  [
    'sunny-street',
    [
      'sunny',
      'street',
      'sunshine',
      'daylight',
      'summer',
      'outdoor',
      'soleado',
      'calle',
      'verano',
      '阳光',
      '街',
      '夏天',
    ],
  ],
  [
    'studio',
    ['studio', 'portrait backdrop', 'plain background', 'estudio', '影棚', '摄影棚', '纯色'],
  ],
]

/** The scene that was asked for, else the first one that the prompt's words name, else `own`. */
export function chooseScene(scene: Scene | undefined, prompt: string | undefined): Scene {
  if (scene) return scene
  if (!prompt) return 'own'
  const words = prompt.toLowerCase()
  return sceneWords.find(([, names]) => names.some((name) => contains(words, name)))?.[0] ?? 'own'
}

/** Latin words must stand alone, so that "clubs" counts and "nightingale" doesn't. */
function contains(text: string, name: string): boolean {
  if (!/^[\p{Script=Latin} ]+$/u.test(name)) return text.includes(name)
  return new RegExp(`(?<!\\p{L})${name}s?(?!\\p{L})`, 'u').test(text)
}
