/** How one call of a service that answers with the picture is treated. */
export const directBehaviours = [
  'picture',
  /** The picture's address instead of its bytes, as SGLang and LocalAI may answer. */
  'picture_by_url',
  /** More pictures than were asked for. */
  'many',
  /** One picture, however many were asked for. */
  'fewer',
  /** As many as were asked for, and the first is none. */
  'first_broken',
  /** A single photo comes back as a model may change it. */
  'shifted',
  'tinted',
  'cropped',
  'redrawn',
  'moved',
  'refusal',
  'bad_input',
  'busy',
  'no_quota',
  'down',
  'unauthorised',
  'drop',
  /** Makes the picture, then loses the connection. */
  'work_and_drop',
  /** Never answers. */
  'hang',
  'slow_body',
  'huge_body',
  'html',
  'empty',
  'not_a_picture',
  /** Half of a picture. */
  'truncated',
  /** A picture of 8 pixels a side. */
  'tiny',
  'gif',
  'redirect',
  /** The picture's address leads into a private network. */
  'private_url',
  /** FastAPI's form of an error, as vLLM and SGLang answer. */
  'detail_error',
] as const
export type DirectBehaviour = (typeof directBehaviours)[number]
