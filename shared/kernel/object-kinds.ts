/**
 * The kinds of objects that administrators configure, as their rows are named. `plain`: all that is stored of one may be
 * exported; `sealed`: it holds secrets and hashes, which are masked. One that is not found has the code
 * `<kind>_not_found`.
 */
export const objectKinds = {
  AUTH_MAPPING: 'plain',
  CHANNEL: 'sealed',
  DECISION: 'plain',
  IMPORT_MAPPING: 'plain',
  INBOUND_SOURCE: 'sealed',
  INCOMING_ACTION: 'plain',
  MACRO: 'plain',
  MAILBOX: 'sealed',
  NOTIFICATION_TEMPLATE: 'plain',
  PORTAL_ITEM: 'plain',
  RELATION: 'plain',
  ROLE: 'plain',
  SNIPPET: 'plain',
  SUBSCRIPTION: 'plain',
  TABLE: 'plain',
  VIEW: 'plain',
} as const

export type ObjectKind = keyof typeof objectKinds

/** What a NotFound of this kind names. */
export type FindableObject = Lowercase<ObjectKind>
type NotFoundCode = `${FindableObject}_not_found`

export const nameOfKind = (kind: ObjectKind): FindableObject => kind.toLowerCase() as FindableObject

/** An entry for each code of an object that is not found. */
export const ofMissingObjects = <T>(make: (name: string) => T): Readonly<Record<NotFoundCode, T>> =>
  Object.fromEntries(
    (Object.keys(objectKinds) as ObjectKind[]).map((kind) => [`${nameOfKind(kind)}_not_found`, make(nameOfKind(kind))]),
  ) as Record<NotFoundCode, T>
