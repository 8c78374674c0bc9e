import { acceptedFormats, adjustmentsMax } from '@starside/contract/limits.ts'
import type { ErrorMessages } from './errors.en.ts'

/** Spanish sentences for every failure of the contract's closed list. */
export const messages: ErrorMessages = {
  invalid_request: 'La solicitud no es la esperada.',
  unknown_action: 'Acción desconocida.',
  not_found: 'No se ha encontrado.',
  method_not_allowed: 'Esta dirección no admite ese método.',
  body_too_large: 'La solicitud es demasiado grande.',
  unsupported_media_type: 'El tipo de contenido de la solicitud no se admite.',
  too_many_requests: 'Demasiadas solicitudes. Espera un momento.',
  idempotency_conflict: 'Esta clave ya se usó para otra solicitud.',
  internal: 'Algo ha fallado por nuestra parte. Inténtalo de nuevo.',
  unavailable: 'Este sitio está ocupado ahora mismo. Inténtalo dentro de poco.',
  fields_required: 'Todos los campos son obligatorios',
  password_too_short: 'La contraseña debe tener al menos 6 caracteres',
  password_too_long: 'La contraseña debe tener como mucho 256 caracteres',
  username_too_short: 'El nombre de usuario debe tener al menos 3 caracteres',
  username_too_long: 'El nombre de usuario debe tener como mucho 40 caracteres',
  username_invalid:
    'El nombre de usuario no puede contener caracteres de control ni saltos de línea.',
  email_invalid: 'Escribe un correo electrónico válido.',
  email_taken: 'Ya existe una cuenta con este correo electrónico.',
  referral_unknown: 'Este código de invitación no existe. Corrígelo o déjalo vacío.',
  credentials_wrong: 'Correo electrónico o contraseña incorrectos.',
  password_wrong: 'La contraseña actual es incorrecta.',
  sign_in_limited: 'Demasiados intentos fallidos. Espera 15 minutos o restablece tu contraseña.',
  proof_required:
    'Hoy mucha gente usa esta red, así que tu navegador tiene que resolver antes una pequeña tarea. Inténtalo de nuevo.',
  mail_not_set_up:
    'Este sitio no puede enviar correos en este momento. Escribe a la dirección de contacto.',
  token_missing: 'Inicia sesión.',
  token_invalid: 'Tu sesión ha terminado. Inicia sesión de nuevo.',
  account_suspended: 'Esta cuenta está suspendida.',
  email_disposable:
    'Usa un correo electrónico que vayas a conservar; no se admiten direcciones desechables.',
  confirmation_token_invalid: 'Este enlace de confirmación ya no es válido. Pide uno nuevo.',
  session_unknown: 'Esta sesión ya había terminado.',
  reset_token_invalid: 'Este enlace ya no es válido. Pide uno nuevo.',
  amount_invalid: 'La cantidad debe ser un número entero de créditos entre 1 y 100.',
  insufficient_credits: 'Créditos insuficientes. Compra créditos para crear fotos.',
  hold_returned: 'Los créditos reservados para esto ya se devolvieron. Inténtalo de nuevo.',
  terms_outdated: 'Las condiciones han vuelto a cambiar. Recarga la página y léelas.',
  voucher_unknown: 'Este código de vale no existe. Revísalo letra por letra.',
  voucher_void: 'Este vale ya no es válido.',
  voucher_not_yet: 'Este vale todavía no es válido.',
  voucher_over: 'El plazo de este vale ha terminado.',
  voucher_used_up: 'Este vale ya se ha canjeado.',
  voucher_redeemed: 'Ya has canjeado este vale u otro de la misma oferta.',
  voucher_limited: 'Demasiados códigos que no existen. Inténtalo de nuevo dentro de una hora.',
  photos_required: 'Hacen falta tu foto y la foto de la estrella',
  preset_unknown: 'No se encuentra la estrella elegida',
  consent_required:
    'Confirma que las personas de tus propias fotos están de acuerdo y son mayores de edad.',
  prompt_too_long: 'La descripción puede tener como mucho 300 caracteres.',
  photo_empty: `El archivo está vacío. Se admiten ${acceptedFormats}.`,
  upload_too_slow:
    'La subida iba demasiado lenta o se detuvo. Inténtalo de nuevo con una conexión mejor.',
  photo_too_large: 'La foto ocupa más de 15 MB.',
  photo_format: `Este archivo no es una foto que podamos leer. Se admiten ${acceptedFormats}.`,
  photo_damaged: 'La foto está dañada o incompleta. Elige otro archivo.',
  photo_too_many_pixels: 'La foto tiene más de 50 megapíxeles. Redúcela.',
  photo_too_small: 'La foto es demasiado pequeña. Debe medir al menos 256 píxeles por lado.',
  face_missing: 'No se ha encontrado ninguna cara. Elige una foto con una cara de frente.',
  face_too_small:
    'La cara es demasiado pequeña. Elige una foto tomada más de cerca, o recorta una grande a cabeza y hombros.',
  face_cut: 'La cara está cortada. Elige una foto con toda la cabeza y los hombros.',
  face_profile: 'La cara está demasiado girada. Elige una foto que mire a la cámara.',
  face_tilted:
    'La cabeza está demasiado inclinada hacia atrás o hacia abajo. Elige una foto que mire de frente a la cámara.',
  photo_blurred: 'La foto está demasiado borrosa. Elige una más nítida.',
  face_unknown: 'Esta foto no tiene esa cara. Elige de nuevo quién estará en la imagen.',
  face_chosen_twice:
    'Una cara se ha elegido dos veces. Cada cara puede estar una vez en la imagen.',
  star_chosen_twice:
    'Se ha elegido dos veces la misma estrella. Elige otra segunda estrella, o una sola.',
  people_too_many: 'En una imagen caben como máximo 4 personas, 2 de ellas estrellas.',
  two_stars_unsupported:
    'El servicio de imágenes solo hace imágenes con una estrella. Elige una sola.',
  people_too_far_apart:
    'Tantas personas saldrían demasiado pequeñas en este formato, o pegadas a su borde inferior. Elige el formato 1:1 o 16:9, o menos caras.',
  pair_too_tight:
    'Las dos fotos terminan demasiado cerca del mentón para ponerlas una al lado de la otra. Elige otra foto de una de las dos personas, con los hombros.',
  story_too_tight:
    'La foto termina demasiado cerca del mentón para una imagen 9:16. Elige otro formato o una foto con los hombros.',
  background_too_narrow:
    'La foto no es lo bastante ancha para un fondo: necesita al menos 512 píxeles.',
  background_too_low:
    'La foto no es lo bastante alta para un fondo: necesita al menos 512 píxeles.',
  background_unusable: 'El fondo debe ser una foto fija, sin partes recortadas.',
  scene_and_background: 'Se enviaron una escena y una foto de fondo. Elige una de las dos.',
  background_unsupported:
    'El servicio de imágenes no admite una foto de fondo además de estas fotos. Elige una escena.',
  generation_running: 'Ya se está creando un selfie. Espera a que termine.',
  generation_failed: 'No se pudo crear el selfie. Se te ha devuelto el crédito.',
  provider_refused:
    'El servicio de imágenes rechazó esta foto. Se te ha devuelto el crédito. Prueba con otras fotos o palabras.',
  provider_bad_input:
    'El servicio de imágenes no pudo usar estas fotos. Se te ha devuelto el crédito. Prueba con otras fotos.',
  provider_busy:
    'El servicio de imágenes está saturado ahora mismo. Se te ha devuelto el crédito. Inténtalo de nuevo en unos minutos.',
  provider_down:
    'El servicio de imágenes no responde. Se te ha devuelto el crédito. Inténtalo más tarde.',
  provider_timeout:
    'El servicio de imágenes tardó demasiado. Se te ha devuelto el crédito. Inténtalo de nuevo.',
  likeness_lost:
    'El servicio de imágenes cambió la cara de alguien, así que se descartó la imagen. Se te ha devuelto el crédito. Inténtalo de nuevo o usa otras fotos.',
  generation_unknown: 'Esta imagen no existe.',
  picture_expired: 'La dirección de esta imagen ha caducado. Vuelve a cargar la página.',
  already_made:
    'Ya tienes una foto hecha con estas dos. Elige otra de sus variaciones o hazla de nuevo por un crédito.',
  layers_expired: 'Las partes de esta foto ya no se conservan, así que no se puede ajustar más.',
  layers_unreadable:
    'El programa se actualizó después de hacer esta foto, así que ya no se puede ajustar. Aún puedes elegir entre sus variaciones.',
  arrangement_unfit: 'Esta disposición tiene otras personas que la foto. Recarga la página.',
  variation_unknown: 'Esta variación no existe.',
  variation_chosen: 'Tu galería muestra esta. Elige otra antes de eliminarla.',
  variations_too_many: `De una foto se guardan hasta ${adjustmentsMax} versiones ajustadas. Elimina una primero.`,
  more_variations_made: 'Las otras variaciones de esta foto ya se hicieron.',
  variation_refused:
    'Un control de seguridad rechazó esta variación. Tus otras fotos se conservan.',
  caption_refused: 'La línea de texto tiene palabras que no se pueden usar. Cámbiala.',
  caption_letters:
    'La línea de texto puede tener letras de Europa occidental (también á, ç, ñ, ü), caracteres chinos ' +
    'simplificados, cifras y los signos habituales; otros, como los emojis, no se pueden dibujar.',
  prompt_refused:
    'Tu descripción contiene palabras que aquí no se admiten. Exprésala de otra forma.',
  photo_blocked: 'Esta foto se retiró tras una denuncia y no puede volver a usarse.',
  picture_refused:
    'Un control de seguridad rechazó la imagen. Se te ha devuelto el crédito. Si es un error, dínoslo.',
  report_link_unknown: 'Pega el enlace de la imagen, o su identificador, tal como se muestra aquí.',
  report_incomplete:
    'Di el motivo, cómo podemos localizarte, y confirma la declaración de buena fe.',
  package_invalid: 'Tipo de paquete no válido',
  order_unknown: 'Pedido no encontrado',
  order_not_underpaid: 'Este pedido no tiene ninguna parte de su precio que se pueda abonar.',
  order_not_cancellable: 'Este pedido ya no se puede cancelar.',
  payment_provider_down:
    'El proveedor de pagos no responde. No se ha cobrado nada. Inténtalo de nuevo.',
  signature_invalid: 'La firma no es válida.',
}
