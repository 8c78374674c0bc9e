import type { Translated } from '@starside/contract/languages.ts'

/** The page without a connection, which is made with the build. */
interface OfflineMessages {
  title: string
  text: string
  tryAgain: string
}

export const offlineMessages: Translated<OfflineMessages> = {
  en: {
    title: 'You are offline.',
    text: 'Your selfies and credits are safe. This page goes on by itself once there is a connection.',
    tryAgain: 'Try again',
  },
  es: {
    title: 'No tienes conexión.',
    text: 'Tus selfies y tus créditos están a salvo. Esta página sigue sola en cuanto haya conexión.',
    tryAgain: 'Intentar de nuevo',
  },
  zh: {
    title: '你已离线。',
    text: '你的自拍和积分都在。网络恢复后，此页面会自动继续。',
    tryAgain: '重试',
  },
}
