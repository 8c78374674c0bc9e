import type { Scene } from '../../image-provider.ts'
import type { PlaceLight } from './place-light.ts'

export type ShippedScene = Exclude<Scene, 'own'>

/** All that the compositor knows of a scene besides its files. */
export interface SceneDefinition {
  light: PlaceLight
  /** Whether it has the sun, so that somebody who was photographed in it fits best. */
  isSunny?: boolean
  /** Words of a prompt that mean it, in the interface's languages, lower case. */
  words: readonly string[]
}

/** Every scene that ships. Where the words of a prompt mean several, the first one is meant. */
export const sceneDefinitions: Record<ShippedScene, SceneDefinition> = {
  'red-carpet': {
    light: { stops: -0.1, cast: 0.14 },
    words: [
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
  },
  stage: {
    light: { stops: -0.5, cast: 0.25 },
    words: [
      'concert',
      'stage',
      'festival',
      'club',
      'concierto',
      'escenario',
      '演唱会',
      '舞台',
      '音乐会',
    ],
  },
  stadium: {
    light: { stops: -0.15, cast: 0.1 },
    isSunny: true,
    words: [
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
  },
  'beach-dusk': {
    light: { stops: -0.3, cast: 0.3 },
    words: [
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
  },
  cafe: {
    light: { stops: -0.1, cast: 0.14 },
    words: [
      'café',
      'cafe',
      'coffee shop',
      'coffee house',
      'lobby',
      'cafetería',
      'vestíbulo',
      '咖啡',
      '大堂',
    ],
  },
  'city-night': {
    light: { stops: -0.6, cast: 0.3 },
    words: ['night', 'neon', 'city lights', 'times square', 'noche', 'neón', '夜', '霓虹'],
  },
  forest: {
    light: { stops: -0.05, cast: 0.1 },
    words: ['forest', 'woods', 'bosque', '森林', '树林'],
  },
  meadow: {
    light: { stops: 0.05, cast: 0.1 },
    isSunny: true,
    words: ['meadow', 'countryside', 'park', 'prado', 'campo', 'parque', '草地', '田野', '公园'],
  },
  home: {
    light: { stops: 0, cast: 0.1 },
    words: ['home', 'living room', 'apartment', 'en casa', 'salón', '家里', '客厅'],
  },
  'sunny-street': {
    light: { stops: 0.05, cast: 0.1 },
    isSunny: true,
    words: [
      'sunny',
      'street',
      'square',
      'old town',
      'sunshine',
      'daylight',
      'summer',
      'outdoor',
      'soleado',
      'calle',
      'plaza',
      'verano',
      '阳光',
      '街',
      '广场',
      '夏天',
    ],
  },
  'city-day': {
    light: { stops: 0.05, cast: 0.1 },
    words: ['city', 'downtown', 'ciudad', 'centro', '城市', '市中心'],
  },
  studio: {
    light: { stops: 0, cast: 0.05 },
    words: ['studio', 'portrait backdrop', 'plain background', 'estudio', '影棚', '摄影棚', '纯色'],
  },
}
