import { z } from 'zod'
import { registerInput } from './auth.ts'
import { eventRoles, printFormats, wallStates } from './event-formats.ts'
import { generationItem } from './generation.ts'
import { languages } from './languages.ts'
import { celebrityPreset } from './presets.ts'
import { sceneNames } from './scenes.ts'
import { successful } from './successful.ts'

/** What an event shows to everybody who opens its page. */
export const eventItem = z.object({
  /** Its address below `/e/`. */
  name: z.string(),
  title: z.string(),
  /** By its days: before, during and after it. */
  state: z.enum(['upcoming', 'running', 'over']),
  /** ISO times. */
  startsAt: z.string(),
  endsAt: z.string(),
  /** When everything of its guests is deleted. ISO time. */
  deletedAt: z.string(),
  /** Of the interface; the first one is the event's own. */
  languages: z.array(z.enum(languages)).min(1),
  /** What a guest agrees to; a new wording has a new version. */
  consent: z.object({
    version: z.string(),
    /** By language; there in each of the event's. */
    words: z.partialRecord(z.enum(languages), z.string()),
  }),
  stars: z.array(celebrityPreset),
  /** Without a scene named, a selfie is set on the event's own background, where it has one. */
  scenes: z.array(z.enum(sceneNames)),
  /** Address of a JPEG, relative to the host. */
  backgroundUrl: z.string().nullable(),
  selfiesPerGuest: z.number().int(),
  /** How guests may have prints; none where nothing is printed. */
  printFormats: z.array(z.enum(printFormats)),
  hasWall: z.boolean(),
  /** Whether a further guest can join. */
  hasCredits: z.boolean(),
  /** Whether so many selfies wait that no further one is taken just now. */
  isQueueFull: z.boolean(),
  /** Address of the page to join on, for a code to scan. */
  joinUrl: z.string(),
})
export type EventItem = z.infer<typeof eventItem>
export const eventAnswer = successful({
  event: eventItem,
  /** Which of its pages this browser has opened by an operator's link. */
  roles: z.array(z.enum(eventRoles)),
})

/** Which of its pages a link opens, with the key behind `#` of it. */
export const openEventInput = z.object({ role: z.enum(eventRoles), key: z.string().max(100) })

export const joinEventInput = z.object({
  /** Of the words that were shown and ticked. */
  consentVersion: z.string().max(40),
  /** At a kiosk everybody begins anew; elsewhere who has joined goes on. */
  atKiosk: z.boolean().optional(),
})

const printItem = z.object({
  printId: z.string(),
  /** Of the event, from 1: by it guest and attendant find each other. */
  number: z.number().int(),
  format: z.enum(printFormats),
  /** ISO times. */
  createdAt: z.string(),
  printedAt: z.string().nullable(),
})

/** A selfie of a guest, with what the guest wishes beside it. */
const guestSelfie = z.object({
  generation: generationItem,
  wall: z.enum(wallStates),
  prints: z.array(printItem),
})
export type GuestSelfie = z.infer<typeof guestSelfie>

/** Who has joined, on this device. */
export const guestAnswer = successful({
  selfiesLeft: z.number().int(),
  /** Newest first. */
  selfies: z.array(guestSelfie),
})
export type GuestAnswer = z.infer<typeof guestAnswer>

/** The guest of this browser; null where nobody has joined. */
export const knownGuestAnswer = successful({
  guest: guestAnswer.omit({ success: true }).nullable(),
})

/** A code with which a phone takes over from a kiosk, once and for ten minutes. */
export const handOverAnswer = successful({
  code: z.string(),
  /** The event's page with the code behind `#take=`, for a code to scan. */
  url: z.string(),
})
export const takeOverInput = z.object({
  code: z.string().max(40),
  /** Also where the browser has a guest with selfies, which are out of reach then. */
  replaces: z.boolean().optional(),
})

/** As of a registration; its rules are the same. */
export const keepGuestInput = registerInput.omit({ referralCode: true })

/** What a guest wishes for a selfie. */
export const guestWishInput = z.object({
  /** Whether it may hang on the wall. */
  isForWall: z.boolean().optional(),
  /** As what it shall be printed, too. */
  printFormat: z.enum(printFormats).optional(),
})
export type GuestWish = z.output<typeof guestWishInput>

const wallPicture = z.object({
  generationId: z.string(),
  /** Signed, expiring. JPEG of full size. */
  imageUrl: z.string(),
  widthPx: z.number().int(),
  heightPx: z.number().int(),
})

/** What hangs on the wall, newest first, at most 60. */
export const wallAnswer = successful({ pictures: z.array(wallPicture) })

/** What guests have asked for, newest first, in pages. */
export const moderationAnswer = successful({
  pictures: z.array(
    wallPicture.extend({
      wall: z.enum(wallStates),
      /** ISO time. */
      askedAt: z.string(),
    }),
  ),
  nextCursor: z.string().nullable(),
})
export type ModerationAnswer = z.infer<typeof moderationAnswer>
export const judgeWallInput = z.object({
  wall: z.enum(wallStates).exclude(['private']),
  /** Of the picture that was looked at: another version is asked for anew. */
  askedAt: z.iso.datetime(),
})

/** What is to be printed, the oldest first, then what was printed, the newest first; at most 100. */
export const printQueueAnswer = successful({
  prints: z.array(
    wallPicture.extend({
      ...printItem.shape,
      /** Up to three other versions, for a strip of four. */
      furtherUrls: z.array(z.string()),
    }),
  ),
})
export type PrintQueueAnswer = z.infer<typeof printQueueAnswer>
export const markPrintInput = z.object({ isPrinted: z.boolean() })
