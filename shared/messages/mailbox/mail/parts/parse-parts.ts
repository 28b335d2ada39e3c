import type { AddressObject, Attachment, EmailAddress, MessageText } from 'mailparser'
import { allValues, firstValue, type MailHead } from '../mail-head.ts'
import { type BoundedParser, boundedParser } from './bounded-parser.ts'
import type { Written } from './written-parts.ts'

/** What mailparser reads in a mail. */
export interface ParsedParts {
  addresses(header: 'from' | 'sender' | 'reply-to' | 'to' | 'cc'): readonly EmailAddress[]
  readonly subject: string
  /** What it says to its reader, part by part. */
  readonly written: readonly Written[]
  /** All HTML of it together. Undefined when the mail has none. */
  readonly html: string | undefined
  readonly files: readonly ParsedFile[]
  readonly isTextCut: boolean
  readonly arePartsCut: boolean
  /** Why something of the mail was left out. */
  readonly problems: readonly string[]
  /** Whether there is anything but white space in it, whatever was made of that. */
  readonly hasContent: boolean
  decodeWords(text: string): string
}

/** A file of a mail, as the mail has it. */
export interface ParsedFile {
  readonly filename: string | undefined
  readonly contentType: string
  readonly contentId: string | undefined
  readonly bytes: Buffer
}

const mimeHeaders = ['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition', 'content-id']

const maxAddressCharacters = 128 * 1024
const maxHeaderCharacters = 16 * 1024
/** Mails are handed to the parser in slices: as a whole they are held several times. */
const sliceBytes = 64 * 1024

/**
 * Parses a mail whose head was read; without its body, only the head. Rejects with the error of the parser, or when the
 * deadline is over.
 */
export async function parseParts(head: MailHead, body: Buffer, deadlineMs: number): Promise<ParsedParts> {
  const { MailParser } = await import('mailparser')
  const parser = boundedParser(MailParser)
  const signal = AbortSignal.timeout(deadlineMs)
  const give = (): void => void parser.destroy(new Error('it takes too long'))
  signal.addEventListener('abort', give, { once: true })
  try {
    const reading = readParser(parser)
    await Promise.all([reading, feed(parser, [knownHeaders(head), body])])
    return await reading
  } finally {
    signal.removeEventListener('abort', give)
    parser.destroy()
  }
}

/** The headers that the parser needs, each once and bounded: it would spend its time on all others as well. */
function knownHeaders(head: MailHead): Buffer {
  const single = ['from', 'sender', 'reply-to', 'subject', ...mimeHeaders].map((name) => [
    name,
    withoutRoutes(firstValue(head, name) ?? '').slice(
      0,
      name === 'reply-to' ? maxAddressCharacters : maxHeaderCharacters,
    ),
  ])
  const lists = ['to', 'cc'].map((name) => [
    name,
    withoutRoutes(allValues(head, name).join(', ')).slice(0, maxAddressCharacters),
  ])
  const lines = [...single, ...lists].flatMap(([name, value]) => (value ? [`${name}: ${value}\r\n`] : []))
  return Buffer.from(`${lines.join('')}\r\n`)
}

/** Addresses with a source route (RFC 5321 appendix C), which a parser takes for several. */
const withoutRoutes = (value: string): string => value.replaceAll(/<\s*@[^<>:"]{1,1000}:/g, '<')

async function feed(parser: BoundedParser, buffers: readonly Buffer[]): Promise<void> {
  for (const buffer of buffers)
    for (let at = 0; at < buffer.length && !parser.destroyed; at += sliceBytes)
      await new Promise<void>((resolve, reject) =>
        parser.write(buffer.subarray(at, at + sliceBytes), (error) => (error ? reject(error) : resolve())),
      )
  if (!parser.destroyed) parser.end()
}

function readParser(parser: BoundedParser): Promise<ParsedParts> {
  const files: ParsedFile[] = []
  let said: Partial<MessageText> = {}
  let headers: ReadonlyMap<string, unknown> = new Map()
  const { promise, resolve, reject } = Promise.withResolvers<ParsedParts>()
  parser.on('headers', (found) => (headers = found))
  parser.on('data', (part) => {
    if (part.type === 'text') said = part
    else readFile(part, (bytes) => files.push({ ...namesOf(part), bytes }), reject)
  })
  parser.on('error', reject)
  parser.on('close', () => reject(new Error('it was broken off')))
  parser.on('end', () => {
    const subject = headers.get('subject')
    resolve({
      addresses: (name) => addressesOf(headers.get(name)),
      subject: typeof subject === 'string' ? subject : '',
      written: parser.written,
      html: typeof said.html === 'string' ? said.html : undefined,
      files,
      isTextCut: parser.isTextCut,
      arePartsCut: parser.arePartsCut,
      problems: parser.lost.problems(),
      hasContent: parser.lost.hasContent,
      decodeWords: (text) => parser.decodeWords(text),
    })
  })
  return promise
}

type FilePart = Attachment & { readonly content: Buffer | NodeJS.ReadableStream; release(): void }

function readFile(
  { content, release }: Pick<FilePart, 'release'> & { readonly content: unknown },
  done: (bytes: Buffer) => void,
  failed: (error: Error) => void,
): void {
  const chunks: Buffer[] = []
  const stream = content as NodeJS.ReadableStream
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('error', failed)
  stream.on('end', () => {
    done(Buffer.concat(chunks))
    release()
  })
}

const namesOf = ({ filename, contentType, contentId }: Partial<Attachment>): Omit<ParsedFile, 'bytes'> => ({
  filename: typeof filename === 'string' ? filename : undefined,
  contentType: typeof contentType === 'string' ? contentType : '',
  contentId: typeof contentId === 'string' ? contentId : undefined,
})

/** A header that is given several times is a list of them. */
const addressesOf = (value: unknown): EmailAddress[] =>
  [value].flat().flatMap((one) => (one as Partial<AddressObject> | undefined)?.value ?? [])
