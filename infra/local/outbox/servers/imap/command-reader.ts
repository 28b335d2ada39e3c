/** A command of IMAP: its tag, its name in upper case, and the rest of the line. */
export interface Command {
  readonly tag: string
  /** With `UID ` before the name of a command on UIDs. */
  readonly name: string
  readonly rest: string
}

const maxBytes = 64 * 1024

/**
 * Reads commands from what a client sends (RFC 3501, 2.2.1). A literal becomes a quoted string; `proceed` asks the client
 * to send it. Throws a RangeError for a command of more than 64 KB.
 */
export function commandReader(proceed: () => void): (chunk: Buffer) => readonly Command[] {
  let buffer = Buffer.alloc(0)
  /** What was read of the command, up to its last literal. */
  let begun = ''
  let literalBytes: number | undefined

  function nextPart(): string | undefined {
    if (literalBytes !== undefined) {
      if (buffer.length < literalBytes) return undefined
      const literal = buffer.subarray(0, literalBytes).toString()
      buffer = buffer.subarray(literalBytes)
      literalBytes = undefined
      begun += quoted(literal)
    }
    const end = buffer.indexOf('\n')
    if (end === -1) return undefined
    const line = buffer.subarray(0, end).toString().replace(/\r$/, '')
    buffer = buffer.subarray(end + 1)
    return line
  }

  return (chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    if (buffer.length + begun.length > maxBytes) throw new RangeError('the command is too long')
    const commands: Command[] = []
    for (let line = nextPart(); line !== undefined; line = nextPart()) {
      const [, before, bytes, isHeld] = /^(.*)\{(\d{1,9})(\+?)\}$/s.exec(line) ?? []
      if (before === undefined) {
        commands.push(commandOf(begun + line))
        begun = ''
        continue
      }
      begun += before
      literalBytes = Number(bytes)
      if (literalBytes > maxBytes) throw new RangeError('the literal is too long')
      if (isHeld === '') proceed()
    }
    return commands
  }
}

/** The strings of a command: quoted ones without their quotes, and atoms. */
export const stringsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s"()]+)/gs)].map(
    ([, inQuotes, atom]) => atom ?? (inQuotes ?? '').replaceAll(/\\(.)/gs, '$1'),
  )

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

function commandOf(line: string): Command {
  const [, tag = '*', uid = '', name = '', rest = ''] = /^(\S+)\s+(UID\s+)?(\S+)\s*(.*)$/is.exec(line) ?? []
  return { tag, name: `${uid && 'UID '}${name.toUpperCase()}`, rest }
}
