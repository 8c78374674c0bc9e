import { expect, it } from 'vitest'
import { languages } from './languages.ts'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('texts/', import.meta.url))

function textsOf(language: string, area: string): (path: string) => string {
  const texts: unknown = JSON.parse(readFileSync(`${folder}${language}/${area}.json`, 'utf8'))
  return (path) =>
    String(path.split('.').reduce((at, key) => (at as Record<string, unknown>)[key], texts))
}

/** Words of which each text has its own one, in English, Chinese and Spanish. */
const words: [area: string, path: string, ...words: [en: RegExp, zh: RegExp, es: RegExp]][] = [
  ['dashboard', 'statuses.completed.title', /success/i, /成功/, /realizado/i],
  ['dashboard', 'statuses.failed.title', /fail/i, /失败/, /fall/i],
  ['dashboard', 'statuses.cancelled.title', /cancel/i, /取消/, /cancel/i],
  ['dashboard', 'statuses.expired.title', /expire/i, /过期|失效/, /caduc|venc|expir/i],
  ['dashboard', 'statuses.pending.title', /pending/i, /等待|待/, /pendiente/i],
  ['dashboard', 'withWatermark', /^with /, /^(?!.*无).*水印/, /^con /],
  ['dashboard', 'withoutWatermark', /without/, /无/, /sin /],
  ['dashboard', 'freeUser', /free/i, /免费/, /gratis|gratuit/i],
  ['dashboard', 'premiumUser', /premium/i, /高级|Premium/i, /premium/i],
  ['dashboard', 'deletePicture', /delete/i, /删除/, /elimin|borr/i],
  ['dashboard', 'undo', /undo/i, /撤销|恢复/, /deshacer/i],
  ['dashboard', 'previousSelfie', /previous/i, /上/, /anterior/i],
  ['dashboard', 'nextSelfie', /next/i, /下/, /siguiente/i],
  ['dashboard', 'removeLink', /off/i, /关闭/, /desactiv|quitar/i],
  ['dashboard', 'uploadPhoto', /upload/i, /上传/, /subir|sube/i],
  ['dashboard', 'takePhoto', /take/i, /拍/, /hacer|tomar|haz/i],
  ['dashboard', 'newTermsAgree', /agree/i, /同意/, /acept/i],
  ['dashboard', 'newTermsLater', /later/i, /稍后|以后/, /tarde|luego/i],
  ['variations', 'undo', /undo/i, /撤销/, /deshacer/i],
  ['variations', 'redo', /redo/i, /重做/, /rehacer/i],
  ['variations', 'save', /save/i, /保存/, /guardar/i],
  ['variations', 'cancel', /cancel/i, /取消/, /cancelar/i],
  ['variations', 'keepEditing', /keep/i, /继续/, /seguir|continuar/i],
  ['variations', 'discard', /discard/i, /放弃|丢弃|舍弃/, /descartar/i],
  ['variations', 'zoomIn', /in|enlarge|closer/i, /放大/, /acercar|ampliar/i],
  ['variations', 'zoomOut', /out|smaller|farther/i, /缩小/, /alejar|reducir/i],
  ['variations', 'closer', /close|larger/i, /近|大/, /cerca|grande/i],
  ['variations', 'wider', /wide|far|smaller/i, /远|小|宽/, /lejos|ampli|pequeñ|abiert/i],
  ['variations', 'brushKinds.erase', /erase/i, /擦除|擦/, /borrar/i],
  ['variations', 'brushKinds.restore', /restore|bring/i, /恢复|还原/, /restaurar|recuperar/i],
  ['shell', 'themeLight', /light/i, /浅|亮/, /clar/i],
  ['shell', 'themeDark', /dark/i, /深|暗/, /oscur/i],
  ['shell', 'before', /before/i, /前|原/, /antes/i],
  ['shell', 'after', /after/i, /后/, /después/i],
  ['auth', 'showPassword', /show/i, /显示/, /mostrar/i],
  ['auth', 'hidePassword', /hide/i, /隐藏/, /ocultar/i],
  ['auth', 'signUp', /sign up/i, /注册/, /regíst|crea/i],
  ['auth', 'signIn', /sign in/i, /登录/, /inici|entrar/i],
]

it.each(languages)('no text has in %s the meaning of its opposite', (language) => {
  const at = { en: 2, zh: 3, es: 4 }[language]
  const wrong = words.flatMap(([area, path, ...rest]) => {
    const text = textsOf(language, area)(path)
    return (rest[at - 2] as RegExp).test(text) ? [] : [`${area} ${path}: ${text}`]
  })
  expect(wrong).toEqual([])
})

it.each(languages)('no two controls beside each other say the same in %s', (language) => {
  for (const area of ['dashboard', 'variations', 'shell', 'auth']) {
    const paths = words.filter(([of]) => of === area).map(([, path]) => path)
    const texts = paths.map(textsOf(language, area))
    expect(new Set(texts).size, area).toBe(texts.length)
  }
})
