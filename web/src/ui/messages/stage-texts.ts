import type { Translated } from '@starside/contract/languages.ts'
import type { GenerationStage } from '@starside/contract/scenes.ts'

/** What the progress of a selfie says of each stage; all languages here, so that a stage is one edit. */
export const stageTexts: Translated<Record<GenerationStage, string>> = {
  en: {
    queued: 'Waiting in line',
    reading: 'Reading the photos',
    faces: 'Finding the faces',
    matting: 'Cutting out the hair',
    layout: 'Placing you both',
    harmonise: 'Matching the light',
    blend: 'Blending the picture',
    finish: 'Finishing the picture',
    done: 'Done',
  },
  es: {
    queued: 'En la cola',
    reading: 'Leyendo las fotos',
    faces: 'Buscando las caras',
    matting: 'Recortando el pelo',
    layout: 'Colocándoos',
    harmonise: 'Igualando la luz',
    blend: 'Fundiendo la imagen',
    finish: 'Acabando la imagen',
    done: 'Listo',
  },
  zh: {
    queued: '排队中',
    reading: '读取照片',
    faces: '寻找人脸',
    matting: '抠出发丝',
    layout: '安排站位',
    harmonise: '匹配光线',
    blend: '融合画面',
    finish: '完成图片',
    done: '完成',
  },
}
