import type { LegalMessages } from './legal.en.ts'

/** Spanish. */
export const messages: LegalMessages = {
  version: 'Versión {version}',
  photosInside:
    'En este sitio, las fotos se quedan en nuestro propio servidor y no se entregan a nadie más.',
  photosOutside:
    'En este sitio, las dos fotos de un selfie se envían también a {services}. Cuánto tiempo se guardan allí depende de las condiciones de ese servicio.',

  termsLead: 'Qué puedes esperar de nosotros y qué te pedimos.',
  terms: [
    {
      heading: 'Qué es esto',
      paragraphs: [
        'Starside hace una sola imagen con tu foto y la foto de una estrella. El encuentro de la imagen nunca ocurrió, y cada imagen dice que se hizo con IA.',
      ],
    },
    {
      heading: 'Quién puede usarlo',
      paragraphs: [
        'Debes tener al menos 18 años. Una persona, una cuenta. No compartas tu contraseña: lo que se haga con tu cuenta cuenta como tuyo.',
      ],
    },
    {
      heading: 'Fotos de otras personas',
      paragraphs: [
        'Sube solo fotos que puedas usar. Al subir la foto de otra persona confirmas que está de acuerdo y que es mayor de edad; guardamos la hora de esa confirmación.',
        'Las estrellas y las caras prestadas que vienen con el sitio no existen.',
      ],
    },
    {
      heading: 'Qué no está permitido',
      paragraphs: [
        'Ninguna imagen de menores, ningún desnudo ni imagen sexual, nada que degrade, amenace o acose a nadie, ni nada que pretenda engañar a otros sobre una persona real. No quites las marcas ni presentes una imagen como una foto real.',
        'Las descripciones con palabras prohibidas se rechazan, y un control automático puede rechazar una foto o una imagen. Un rechazo no cuesta nada.',
      ],
    },
    {
      heading: 'Créditos y pagos',
      paragraphs: [
        'Una cuenta nueva empieza con un crédito gratis, una vez por cada buzón de correo. Un selfie cuesta un crédito. Si falla o se rechaza, el crédito vuelve. Los créditos no caducan; no se pueden cobrar ni ceder.',
        'Los paquetes se pagan una sola vez, en criptomoneda, a través de un proveedor de pagos; no hay suscripción. La primera compra quita la marca de agua de todas tus imágenes. Un pago que llega tarde también cuenta. Si un pago se devuelve, sus créditos se retiran; los que ya se gastaron quedan pendientes y se descuentan de los siguientes.',
      ],
    },
    {
      heading: 'Tus imágenes',
      paragraphs: [
        'Tus selfies son tuyos para guardarlos y compartirlos. Un enlace público muestra la imagen a quien tenga el enlace, hasta que lo desactives.',
      ],
    },
    {
      heading: 'Denuncias y retirada',
      paragraphs: [
        'Cualquiera puede denunciar una imagen con el enlace al pie de cada página. Decidimos en 48 horas. Una imagen retirada no puede volver a subirse ni hacerse.',
        'Una cuenta que incumpla estas condiciones puede suspenderse; sus enlaces públicos dejan de funcionar.',
      ],
    },
    {
      heading: 'Irse',
      paragraphs: [
        'Puedes borrar tu cuenta cuando quieras en la página de la cuenta. Tus imágenes y los créditos que te queden desaparecen al momento y para siempre.',
      ],
    },
    {
      heading: 'Qué no podemos prometer',
      paragraphs: [
        'Las imágenes las hace un ordenador y pueden salir mal. El sitio puede no estar disponible durante un tiempo. Lo que la ley te da como cliente sigue siendo tuyo.',
      ],
    },
    {
      heading: 'Cambios y contacto',
      paragraphs: [
        'Unas condiciones nuevas llevan una versión nueva. Anotamos cuál aceptaste y cuándo. Cómo contactar con quienes llevan este sitio está al pie de cada página.',
      ],
    },
  ],

  privacyLead: 'Qué pasa con tus fotos y tus datos, paso a paso.',
  privacy: [
    {
      heading: 'Tus fotos',
      paragraphs: [
        'Tu dispositivo endereza la foto, la reduce y quita los datos ocultos, como el lugar donde se hizo. Después se envía a nuestro servidor y se usa para ese único selfie.',
        'La foto se borra de nuestro servidor en cuanto el selfie está listo o ha fallado, y nunca se guarda más de 24 horas; una comprobación cada hora se asegura de ello. Ningún modelo se entrena con ella.',
      ],
    },
    {
      heading: 'Caras',
      paragraphs: [
        'El programa busca caras para colocar a las dos personas en la imagen. No averigua quién es nadie y no guarda medidas de las caras.',
        'De cada foto e imagen guardamos una huella de 64 bits. No muestra nada de la foto; con ella reconocemos imágenes que se retiraron tras una denuncia.',
      ],
    },
    {
      heading: 'Tus selfies',
      paragraphs: [
        'Quedan en tu galería hasta que los borres. Durante medio minuto puedes deshacerlo; después desaparecen. Solo tú puedes abrirlos, mediante direcciones que caducan, salvo que crees un enlace público.',
      ],
    },
    {
      heading: 'Tu cuenta',
      paragraphs: [
        'Guardamos tu correo, tu nombre de usuario, tu contraseña de una forma que no se puede leer, qué condiciones aceptaste y cuándo, quién te invitó y dónde tienes la sesión abierta: hora, navegador y dirección de red, como mucho 30 días o hasta que cierres la sesión.',
        'Para dar el crédito gratis una sola vez y frenar los abusos, guardamos tu buzón, tu red y tu navegador como códigos que solo este sitio puede comparar. El código de tu buzón se queda un año, aunque borres la cuenta.',
        'Solo enviamos correos sobre tu cuenta: inicios de sesión nuevos, una contraseña nueva, una compra. No hay boletines.',
      ],
    },
    {
      heading: 'Pagos',
      paragraphs: [
        'Pagas en el proveedor de pagos, donde rigen sus propias condiciones de privacidad. Guardamos el pedido, el importe, su estado y el número de pago del proveedor, pero ninguna cartera. Cada crédito se anota en un libro de cuentas.',
      ],
    },
    {
      heading: 'Marcas en las imágenes',
      paragraphs: [
        'Cada imagen lleva en su archivo una nota de que se hizo con IA y una marca invisible con un número por el que la reconocemos. Ninguna de las dos te nombra. Cualquiera puede preguntar si una imagen se hizo aquí; la imagen que se sube para esa pregunta no se guarda.',
      ],
    },
    {
      heading: 'Denuncias y seguridad',
      paragraphs: [
        'Una denuncia guarda lo que escribe quien la envía y cómo contactarle. Cada decisión sobre una denuncia queda anotada para siempre: qué se decidió, cuándo y por qué. Quienes llevan el sitio solo ven una imagen si fue denunciada.',
      ],
    },
    {
      heading: 'Cookies y almacenamiento',
      paragraphs: [
        'No hay rastreadores ni publicidad; nada se carga de otros sitios. Una cookie reconoce este navegador para frenar abusos. Tu navegador guarda en su propio almacenamiento tu sesión, tu idioma, tu tema, tus pedidos abiertos y tu última imagen, y las fotos que elegiste hasta que las uses, cierres la sesión o pase media hora.',
      ],
    },
    {
      heading: 'Registros',
      paragraphs: [
        'El servidor anota cuándo se le pidió qué y si funcionó, para encontrar fallos. No anota correos, contraseñas, descripciones ni imágenes.',
      ],
    },
    {
      heading: 'Tus derechos',
      paragraphs: [
        'En la página de la cuenta puedes descargar todo lo que guardamos sobre ti y borrar tu cuenta. Eso elimina al momento tus imágenes, sesiones y enlaces; el libro de cuentas conserva sus apuntes sin tu nombre.',
        'Para todo lo demás, escribe a quienes llevan este sitio. La dirección está al pie de cada página.',
      ],
    },
  ],
}
