import { isSameMac, macOf, type ThreadKey } from './record-thread.ts'

/** How long the link of a file that was sent is valid. */
export const fileLinkDays = 30

/** What the link of a file that was sent holds: whoever has it may download the file until then. */
export interface FileToken {
  readonly tenantId: number
  /** The comment that was sent with the file. */
  readonly commentId: number
  /** The unguessable part of the path of the file. */
  readonly file: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly mac: string
}

/** 160 bits in base32: nobody guesses it. */
const macCharacters = 32

const macFor = (key: ThreadKey, { tenantId, commentId, file, expiresAt }: Omit<FileToken, 'mac'>): string =>
  macOf(key, ['file', tenantId, commentId, file, expiresAt], macCharacters)

/** The token of the link of a file: `<tenant>.<comment>.<file>.<expiry>.<mac>`. */
export const fileToken = (key: ThreadKey, link: Omit<FileToken, 'mac'>): string =>
  [link.tenantId, link.commentId, link.file, link.expiresAt, macFor(key, link)].join('.')

/** Reads a token that is not believed yet: `isFileToken` checks it. Undefined for any other text. */
export function parseFileToken(text: string): FileToken | undefined {
  const match = /^(\d{1,12})\.(\d{1,12})\.([A-Za-z0-9_-]{24})\.(\d{1,12})\.([a-z2-7]{32})$/.exec(text)
  if (!match) return undefined
  const [, tenantId, commentId, file, expiresAt, mac] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return { tenantId: Number(tenantId), commentId: Number(commentId), file, expiresAt: Number(expiresAt), mac }
}

/** Whether the key of the tenant made the token, and it has not expired. */
export const isFileToken = (key: ThreadKey, token: FileToken, nowMs: number): boolean =>
  isSameMac(token.mac, macFor(key, token)) && nowMs < token.expiresAt * 1000
