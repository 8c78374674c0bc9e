import type { Translated } from '@starside/contract/languages.ts'

interface MailText {
  subject: string
  text: string
}

/** Mails to people, in the language that they use. Those to operators are English. */
interface MailMessages {
  confirmation: MailText
  passwordReset: MailText
  newSignIn: MailText
  receipt: MailText & {
    /** What was paid, for the whole order or a part of it, and where the money is none. */
    whole: string
    part: string
    testMoney: string
    late: string
  }
}

export const mailMessages: Translated<MailMessages> = {
  en: {
    confirmation: {
      subject: 'Confirm your email for {site}',
      text: 'Hello {username},\n\nthis link confirms that the address is yours. It is valid for a week:\n\n{link}\n\nIf you have no account with us, you can ignore this mail.',
    },
    passwordReset: {
      subject: 'Set a new password for {site}',
      text: 'Hello {username},\n\nthis link sets a new password. It works once, for one hour:\n\n{link}\n\nIf you did not ask for it, you can ignore this mail.',
    },
    newSignIn: {
      subject: 'New sign-in to {site}',
      text: 'Hello {username},\n\nsomebody signed in to your account from a device we have not seen before:\n\nTime: {time}\nAddress: {address}\nProgram: {program}\n\nIf this was you, there is nothing to do. If not, end that session and set a new password:\n\n{link}',
    },
    receipt: {
      subject: '{credits} {credits|credit is|credits are} yours',
      text: 'Your payment {paid} has arrived and {credits} {credits|credit was|credits were} added to your account.\n{late}\nCredits never expire, and your pictures are free of the watermark from now on.\n\n{link}\n\nOrder {order}\n{site}\n',
      whole: 'of {price}',
      part: 'for a part of {price}',
      testMoney: '{price} of test money',
      late: '\nThe payment arrived after the payment window had closed. It was credited all the same.\n',
    },
  },
  es: {
    confirmation: {
      subject: 'Confirma tu correo en {site}',
      text: 'Hola, {username}:\n\neste enlace confirma que la dirección es tuya. Sirve durante una semana:\n\n{link}\n\nSi no tienes cuenta con nosotros, puedes ignorar este mensaje.',
    },
    passwordReset: {
      subject: 'Pon una contraseña nueva en {site}',
      text: 'Hola, {username}:\n\ncon este enlace pones una contraseña nueva. Funciona una vez, durante una hora:\n\n{link}\n\nSi no lo has pedido, puedes ignorar este mensaje.',
    },
    newSignIn: {
      subject: 'Nuevo inicio de sesión en {site}',
      text: 'Hola, {username}:\n\nalguien ha entrado en tu cuenta desde un dispositivo que no conocíamos:\n\nHora: {time}\nDirección: {address}\nPrograma: {program}\n\nSi has sido tú, no hay nada que hacer. Si no, cierra esa sesión y pon una contraseña nueva:\n\n{link}',
    },
    receipt: {
      subject: '{credits} {credits|crédito es tuyo|créditos son tuyos}',
      text: 'Ha llegado tu pago {paid} y se {credits|ha añadido|han añadido} {credits} {credits|crédito|créditos} a tu cuenta.\n{late}\nLos créditos no caducan, y tus imágenes ya no llevan marca de agua.\n\n{link}\n\nPedido {order}\n{site}\n',
      whole: 'de {price}',
      part: 'de una parte de {price}',
      testMoney: '{price} en dinero de prueba',
      late: '\nEl pago llegó cuando el plazo ya había terminado. Se ha abonado igualmente.\n',
    },
  },
  zh: {
    confirmation: {
      subject: '确认你在 {site} 的邮箱',
      text: '{username}，你好：\n\n点击以下链接确认这是你的邮箱，一周内有效：\n\n{link}\n\n如果你没有在我们这里注册，请忽略此邮件。',
    },
    passwordReset: {
      subject: '重设你在 {site} 的密码',
      text: '{username}，你好：\n\n用以下链接设置新密码。链接只能使用一次，一小时内有效：\n\n{link}\n\n如果这不是你的请求，请忽略此邮件。',
    },
    newSignIn: {
      subject: '{site} 有新的登录',
      text: '{username}，你好：\n\n有人从一台我们没见过的设备登录了你的账户：\n\n时间：{time}\n地址：{address}\n程序：{program}\n\n如果是你本人，无需操作。如果不是，请结束该登录并设置新密码：\n\n{link}',
    },
    receipt: {
      subject: '{credits} 个积分已到账',
      text: '我们已收到你的付款（{paid}），{credits} 个积分已加入你的账户。\n{late}\n积分永不过期，从现在起你的图片不再有水印。\n\n{link}\n\n订单 {order}\n{site}\n',
      whole: '{price}',
      part: '{price} 中的一部分',
      testMoney: '{price} 测试金额',
      late: '\n付款在支付时限之后到达，仍已为你入账。\n',
    },
  },
}
