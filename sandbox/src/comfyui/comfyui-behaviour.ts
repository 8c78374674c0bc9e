/** How the stand-in treats one request. */
export const comfyuiBehaviours = [
  'picture',
  /** It takes a second longer. */
  'slow',
  /** The upload, or the request, is turned away. */
  'refused_upload',
  'invalid_graph',
  'busy',
  'down',
  'html',
  'drop',
  /** The request is taken, the answer is lost. */
  'accept_and_drop',
  /** The request gets another id than the one that was asked for, as in old versions. */
  'own_id',
  /** A node fails. */
  'error',
  'interrupted',
  /** It ends without a picture. */
  'no_picture',
  /** More than one picture. */
  'many',
  /** The history and the queue forget the request. */
  'lost',
  /** It never ends. */
  'hang',
  /** The socket dies while it runs. */
  'socket_dies',
  'redirect_to_private',
  'huge',
  'endless',
  'not_a_picture',
  'truncated',
  'tiny',
  'gif',
] as const
export type ComfyuiBehaviour = (typeof comfyuiBehaviours)[number]
