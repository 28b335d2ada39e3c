import { endOfHeaders, headerValue, isForwardMarker, isForwardSubject } from './quote-markers.ts'

export { isForwardSubject } from './quote-markers.ts'

/** A mail that is forwarded inside of another. */
export interface ForwardedText {
  readonly address: string
  readonly name: string
  readonly subject: string | undefined
  readonly text: string
  /** What whoever forwards it wrote above. */
  readonly note: string
}

const address = /[^\s<>()[\]"':;,]{1,64}@[^\s<>()[\]"';,]{1,255}\.[^\s<>()[\]"';,]{2,63}/

/**
 * The mail that a text forwards: below a line that says so, or, where the subject says so, below repeated headers. Undefined
 * when there is none, or its headers do not say whose it is.
 */
export function forwardedIn(body: string, subject: string | null): ForwardedText | undefined {
  const lines = body.split('\n')
  const marked = lines.findIndex(isForwardMarker)
  const says = subject !== null && isForwardSubject(subject)
  if (marked === -1 && !says) return undefined
  const begin =
    marked === -1
      ? lines.findIndex((_, at) => endOfHeaders(lines, at, false) !== undefined)
      : firstText(lines, marked + 1)
  if (begin === -1) return undefined
  const end = endOfHeaders(lines, begin, true)
  if (end === undefined || end === begin) return undefined
  const head = lines.slice(begin, end)
  const from = headerValue(head, 'from')
  const found = from === undefined ? undefined : address.exec(from.replace(/\[?mailto:/gi, ' '))?.[0]
  if (from === undefined || found === undefined) return undefined
  const text = lines.slice(end).join('\n').trim()
  return text === ''
    ? undefined
    : {
        address: found,
        name:
          from
            .split(/[<[(]/)[0]
            ?.replaceAll(/^[\s"'*]+|[\s"'*]+$/g, '')
            .replace(found, '') ?? '',
        subject: headerValue(head, 'subject'),
        text,
        note: lines
          .slice(0, marked === -1 ? begin : marked)
          .join('\n')
          .trim(),
      }
}

function firstText(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && (lines[at] as string).trim() === '') at += 1
  return at
}

/** A subject without what says that its mail is sent on. */
export function withoutForwardMarks(subject: string): string {
  let rest = subject.trim()
  while (isForwardSubject(rest)) rest = rest.replace(/^[^:：]*[:：]\s*/u, '')
  return rest
}
