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
    'stage',
    ['concert', 'stage', 'festival', 'club', 'concierto', 'escenario', '演唱会', '舞台', '音乐会'],
  ],
  [
    'stadium',
    [
      'stadium',
      'football',
      'soccer',
      'match',
      'estadio',
      'fútbol',
      'partido',
      '体育场',
      '足球',
      '球场',
    ],
  ],
  [
    'beach-dusk',
    [
      'beach',
      'sunset',
      'dusk',
      'seaside',
      'playa',
      'atardecer',
      'puesta de sol',
      '海滩',
      '日落',
      '黄昏',
      '海边',
    ],
  ],
  ['cafe', ['café', 'cafe', 'coffee shop', 'coffee house', 'cafetería', '咖啡']],
  [
    'city-night',
    ['night', 'neon', 'downtown', 'city lights', 'times square', 'noche', 'neón', '夜', '霓虹'],
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
